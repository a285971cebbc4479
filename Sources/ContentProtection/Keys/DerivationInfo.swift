import MediaCore

/// HKDF's `info` (RFC 5869 § 3.2): the purpose of a derived value, so that no two values are related.
///
/// Four fields and a label that names this encoding, each behind its count of bytes in four bytes, big-endian, so that
/// no two lists of fields give the same bytes:
///
/// | field   | bytes                                                       |
/// |---------|-------------------------------------------------------------|
/// | label   | `packager key derivation 1`                                 |
/// | channel | name, or `NAME/recordings/ID` of a recording, in UTF-8      |
/// | period  | index as eight bytes, big-endian, two's complement          |
/// | class   | `video`, `audio`, `sd`, `hd`, `uhd` or `hdr`                |
/// | purpose | `key ID`, `content key`, `constant IV`, …                   |
///
/// Published keys depend on it: it can be replaced, under another label, but never changed.
struct DerivationInfo {
    enum Purpose: String {
        case keyID = "key ID"
        case contentKey = "content key"
        case constantIV = "constant IV"
        case longKeyID = "key ID of 256 bits"
        case longContentKey = "content key of 256 bits"
        case longContentKeyEnd = "content key of 256 bits, second half"
    }

    var channel: String
    var period: CryptoPeriod
    var keyClass: KeyClass
    var purpose: Purpose

    private static let label = "packager key derivation 1"

    var bytes: [UInt8] {
        let fields = [
            Array(Self.label.utf8),
            Array(channel.utf8),
            Self.bigEndian(UInt64(bitPattern: period.index)),
            Array(keyClass.rawValue.utf8),
            Array(purpose.rawValue.utf8),
        ]
        return Self.encoded(fields)
    }

    /// Each field behind its count of bytes.
    static func encoded(_ fields: [[UInt8]]) -> [UInt8] {
        fields.flatMap { bigEndian(UInt32($0.count)) + $0 }
    }

    private static func bigEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        stride(from: T.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> T($0)) }
    }
}
