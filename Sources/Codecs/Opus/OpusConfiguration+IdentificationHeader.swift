package import MediaCore

extension OpusConfiguration {
    /// Reads an identification header, OpusHead (RFC 7845 § 5.1).
    ///
    /// - Throws: ``CodecError`` if it is cut short, or of another version.
    package init(identificationHeader bytes: [UInt8]) throws(CodecError) {
        guard bytes.count >= 19 else { throw .truncated }
        guard bytes.starts(with: "OpusHead".utf8) else { throw .invalid("OpusHead") }
        // § 5.1: minor versions are compatible.
        guard bytes[8] < 16 else { throw .unsupported("OpusHead version \(bytes[8])") }
        let channels = Int(bytes[9])
        let mappingFamily = bytes[18]
        guard channels > 0, mappingFamily != 0 || channels <= 2 else { throw .invalid("Opus channel count") }
        // § 5.1.1: only family 0 has no table.
        let tableLength = mappingFamily == 0 ? 0 : 2 + channels
        guard bytes.count >= 19 + tableLength else { throw .truncated }
        let table = [UInt8](bytes[19..<19 + tableLength])
        if let streams = table.first { guard streams > 0, table[1] <= streams else { throw .invalid("Opus mapping") } }
        self.init(
            channels: channels,
            preSkip: UInt16(bytes[10]) | UInt16(bytes[11]) << 8,
            inputSampleRate: bytes[12..<16].reversed().reduce(0) { $0 << 8 | UInt32($1) },
            outputGain: Int16(bitPattern: UInt16(bytes[16]) | UInt16(bytes[17]) << 8),
            mappingFamily: mappingFamily,
            mappingTable: table
        )
    }

    /// A packet of 20 ms without any sound.
    ///
    /// Each stream has a frame of CELT whose first flag says silence (RFC 6716 § 4.3); all streams but the last have
    /// their length said (RFC 6716 Appendix B).
    var silence: [UInt8] {
        let streams = max(1, Int(mappingTable.first ?? 1))
        let coupled = mappingTable.count > 1 ? Int(mappingTable[1]) : channels - 1
        return (0..<streams).flatMap { stream -> [UInt8] in
            let contents: UInt8 = stream < coupled ? 0xFC : 0xF8
            return stream < streams - 1 ? [contents, 2, 0xFF, 0xFE] : [contents, 0xFF, 0xFE]
        }
    }
}
