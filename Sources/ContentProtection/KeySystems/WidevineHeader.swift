import MediaCore

/// WidevinePsshData, a message in the format of Protocol Buffers.
struct WidevineHeader {
    var key: PeriodKey
    /// `cbcs` or `cenc`.
    var scheme: FourCC

    var header: ProtectionSystemHeader {
        ProtectionSystemHeader(systemID: KeySystem.widevine.systemID, data: message)
    }

    /// Fields by their numbers: 2 is key_ids, 7 crypto_period_index, 9 protection_scheme.
    private var message: [UInt8] {
        let keyID = key.keyID.bytes.bytes
        var message: [UInt8] = [2 << 3 | 2, UInt8(keyID.count)] + keyID
        // A field of value 0 is not written; keys that never change are of period 0.
        if key.period.index > 0 { message += [7 << 3] + Self.varint(UInt32(truncatingIfNeeded: key.period.index)) }
        return message + [9 << 3] + Self.varint(scheme.code)
    }

    /// Seven bits a byte, the lowest first; the highest bit says that another one follows.
    private static func varint(_ value: UInt32) -> [UInt8] {
        var (bytes, rest): ([UInt8], UInt32) = ([], value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
