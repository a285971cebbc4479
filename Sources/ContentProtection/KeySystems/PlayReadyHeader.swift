import FoundationEssentials
import MediaCore

/// A PlayReady Object with one record, a PlayReady Header of version 4.3, the first that knows `cbcs` (Microsoft,
/// "PlayReady Header Specification").
struct PlayReadyHeader {
    var keyID: KeyID
    /// `cbcs` or `cenc`.
    var scheme: FourCC

    var header: ProtectionSystemHeader {
        let text = xml.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let record = Self.littleEndian(UInt16(1)) + Self.littleEndian(UInt16(text.count)) + text
        let object = Self.littleEndian(UInt32(4 + 2 + record.count)) + Self.littleEndian(UInt16(1)) + record
        return ProtectionSystemHeader(systemID: KeySystem.playready.systemID, data: object)
    }

    private var xml: String {
        let algorithm = scheme == "cbcs" ? "AESCBC" : "AESCTR"
        return #"<WRMHEADER xmlns="http://schemas.microsoft.com/DRM/2007/03/PlayReadyHeader" version="4.3.0.0">"#
            + #"<DATA><PROTECTINFO><KIDS><KID ALGID="\#(algorithm)" VALUE="\#(Data(identifier.bytes).base64EncodedString())"></KID></KIDS>"#
            + "</PROTECTINFO></DATA></WRMHEADER>"
    }

    /// The key ID in the order of Windows: the first three numbers of a GUID are little-endian.
    private var identifier: Bytes16 {
        let high = keyID.bytes.high
        let first = UInt64(UInt32(truncatingIfNeeded: high >> 32).byteSwapped)
        let second = UInt64(UInt16(truncatingIfNeeded: high >> 16).byteSwapped)
        let third = UInt64(UInt16(truncatingIfNeeded: high).byteSwapped)
        return Bytes16(high: first << 32 | second << 16 | third, low: keyID.bytes.low)
    }

    private static func littleEndian(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
        stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
