/// The data that a key system requests a licence with: the contents of `pssh` (ISO/IEC 23001-7 § 8.1).
package struct ProtectionSystemHeader: Hashable, Sendable {
    package var systemID: Bytes16
    /// The public key IDs; without any the box is of version 0.
    package var keyIDs: [KeyID]
    /// The data that the key system alone reads.
    package var data: [UInt8]

    package init(systemID: Bytes16, keyIDs: [KeyID] = [], data: [UInt8] = []) {
        self.systemID = systemID
        self.keyIDs = keyIDs
        self.data = data
    }

    /// W3C's common system, which Clear Key reads (W3C "cenc" Initialization Data Format § 4).
    package static func common(_ keyID: KeyID) -> Self {
        Self(systemID: Bytes16(high: 0x1077_EFEC_C0B2_4D02, low: 0xACE3_3C1E_52E2_FB4B), keyIDs: [keyID])
    }
}
