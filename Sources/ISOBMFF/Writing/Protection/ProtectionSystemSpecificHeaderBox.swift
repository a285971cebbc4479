import MediaCore

/// Protection system specific header (pssh), in `MovieBox` (ISO/IEC 23001-7 § 8.1).
struct ProtectionSystemSpecificHeaderBox: FullBox {
    static let type: FourCC = "pssh"

    var systemID: Bytes16
    var keyIDs: [KeyID]
    var data: [UInt8] = []

    /// W3C's common system, which ClearKey reads (W3C "cenc" Initialization Data Format § 4).
    static let commonSystemID = Bytes16(high: 0x1077_EFEC_C0B2_4D02, low: 0xACE3_3C1E_52E2_FB4B)

    // Version 1 has the key IDs.
    var version: UInt8 { 1 }
    var fieldsByteCount: Int { 16 + 4 + 16 * keyIDs.count + 4 + data.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.write(systemID)
        span.writeInteger(UInt32(keyIDs.count))
        for keyID in keyIDs { span.write(keyID.bytes) }
        span.writeInteger(UInt32(data.count))
        span.write(data)
    }
}
