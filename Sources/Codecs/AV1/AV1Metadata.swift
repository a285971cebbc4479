import MediaCore

/// The contents of a metadata OBU that are of use here (AV1 § 5.8).
enum AV1Metadata: Hashable, Sendable {
    /// The bytes as `clli` carries them.
    case contentLight([UInt8])
    /// The bytes as `mdcv` carries them.
    case masteringDisplay([UInt8])
    /// SMPTE ST 2094-40.
    case hdr10Plus

    /// metadata_type (§ 6.7.1).
    private enum Kind: Int {
        case contentLight = 1, masteringDisplay, scalability, registeredByT35, timecode
    }

    /// Reads a payload; fails if it is metadata of another kind.
    ///
    /// - Parameter payload: A metadata OBU without its header.
    /// - Throws: ``CodecError`` if it is cut short.
    init?(_ payload: RawSpan) throws(CodecError) {
        var reader = BitReader(payload)
        switch Kind(rawValue: try reader.readLEB128()) {
        case .contentLight:
            var bytes: [UInt8] = []
            for _ in 0..<4 { bytes.append(UInt8(try reader.read(8))) }
            self = .contentLight(bytes)
        case .masteringDisplay:
            self = .masteringDisplay(try Self.readMasteringDisplay(&reader))
        case .registeredByT35:
            var data = SEIMessage(userData: reader)
            guard UserData.isHDR10Plus(&data) else { return nil }
            self = .hdr10Plus
        default:
            return nil
        }
    }

    /// The label that metadata_timecode() (§ 5.8.7) gives the picture.
    ///
    /// - Parameters:
    ///   - payload: A metadata OBU without its header.
    ///   - timestamp: The state of the labels before.
    /// - Returns: The label or value; nil if it is metadata of another kind.
    /// - Throws: ``CodecError`` if it is cut short.
    static func timecode(
        in payload: RawSpan,
        timestamp: inout ClockTimestamp
    ) throws(CodecError) -> Timecode? {
        var reader = BitReader(payload)
        guard Kind(rawValue: try reader.readLEB128()) == .timecode else { return nil }
        return try timestamp.read(&reader, frameBits: 9)
    }

    /// metadata_itut_t35() (§ 5.8.2), which is user data as SEI messages have it.
    ///
    /// - Parameter payload: A metadata OBU without its header.
    /// - Returns: The label or value; nil if it is metadata of another kind.
    /// - Throws: ``CodecError`` if it is cut short.
    @_lifetime(copy payload)
    static func userData(in payload: RawSpan) throws(CodecError) -> SEIMessage? {
        var reader = BitReader(payload)
        guard Kind(rawValue: try reader.readLEB128()) == .registeredByT35 else { return nil }
        return SEIMessage(userData: reader)
    }

    /// metadata_hdr_mdcv() (§ 5.8.4) in the units and the order of `mdcv` (ISO/IEC 14496-12 § 12.1.7).
    private static func readMasteringDisplay(_ reader: inout BitReader) throws(CodecError) -> [UInt8] {
        var chromaticities: [UInt32] = []
        for _ in 0..<8 {
            // § 6.7.4: of 16 fractional bits; in `mdcv`, steps of 0.00002.
            chromaticities.append(try (reader.read(16) * 50_000 + 1 << 15) >> 16)
        }
        // Steps of 0.0001 cd/m²: the maximum has 8 fractional bits, the minimum 14.
        var luminances: [UInt32] = []
        for fractionalBits in [8, 14] as [UInt64] {
            let steps = try (UInt64(reader.read(32)) * 10_000 + 1 << (fractionalBits - 1)) >> fractionalBits
            luminances.append(UInt32(clamping: steps))
        }
        // Red, green, blue become green, blue, red.
        let ordered = chromaticities[2..<6] + chromaticities[..<2] + chromaticities[6...]
        var writer = BitWriter()
        for value in ordered { writer.write(min(value, 0xFFFF), bits: 16) }
        for value in luminances { writer.write(value, bits: 32) }
        return writer.bytes
    }
}

extension DynamicRangeMetadata {
    /// Adds the contents of a metadata OBU.
    mutating func insert(_ metadata: AV1Metadata) {
        switch metadata {
        case .contentLight(let bytes): contentLight = bytes
        case .masteringDisplay(let bytes): masteringDisplay = bytes
        case .hdr10Plus: hasHDR10Plus = true
        }
    }
}
