/// Versions of SPCs, which differ in how their payload is protected.
package enum SPCVersion: UInt32, Hashable, Sendable, CaseIterable {
    /// The version for certificates of 1024 bits: RSA-OAEP with SHA-1.
    case one = 1
    /// The version for certificates of 2048 bits: RSA-OAEP with SHA-256.
    case two = 2
    /// Version 2 with a message authentication code (AES-CMAC, NIST SP 800-38B).
    case three = 3

    /// Bytes of the wrapped key: as many as the certificate's modulus has.
    var wrappedKeySize: Int { self == .one ? 128 : 256 }
    /// Bytes of the certificate's hash: SHA-1, or SHA-256.
    var certificateHashSize: Int { self == .three ? 32 : 20 }
    /// Bytes behind the payload.
    var trailerSize: Int { self == .three ? 16 : 0 }
}
