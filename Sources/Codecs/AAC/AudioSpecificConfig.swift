/// AudioSpecificConfig() for AAC (ISO/IEC 14496-3 § 1.6.2.1).
struct AudioSpecificConfig: Hashable, Sendable {
    /// The audio object type of the core: 2 is LC.
    var coreObjectType: UInt8
    /// Hz of the core.
    var coreSampleRate: Int
    var channelConfiguration: UInt8
    /// The channels, where `channelConfiguration` is 0.
    var program: ProgramConfigElement?
    /// Spectral band replication, if it is signalled explicitly.
    var replication: Replication?

    /// Explicit signalling of spectral band replication.
    struct Replication: Hashable, Sendable {
        /// Hz that come out.
        var sampleRate: Int
        var hasParametricStereo: Bool
    }

    /// The elements of each frame.
    var elements: [AACElement] {
        program?.elements ?? AACElement.elements(channelConfiguration: channelConfiguration) ?? []
    }

    init(
        coreObjectType: UInt8,
        coreSampleRate: Int,
        channelConfiguration: UInt8,
        program: ProgramConfigElement? = nil
    ) throws(CodecError) {
        self.coreObjectType = coreObjectType
        self.coreSampleRate = coreSampleRate
        self.channelConfiguration = channelConfiguration
        self.program = program
        guard !elements.isEmpty else { throw .invalid("channelConfiguration") }
    }

    /// - Throws: ``CodecError`` if it is cut short, has a reserved value, or is of a codec other than AAC with 1024
    ///   samples a frame.
    init(_ bytes: [UInt8]) throws(CodecError) {
        var reader = BitReader(bytes.span.bytes)
        var objectType = try Self.readObjectType(&reader)
        coreSampleRate = try Self.readSampleRate(&reader)
        channelConfiguration = UInt8(try reader.read(4))
        if objectType == Self.sbr || objectType == Self.ps {
            // § 1.6.5.2: hierarchical signalling.
            let hasParametricStereo = objectType == Self.ps
            let rate = try Self.readSampleRate(&reader)
            replication = Replication(sampleRate: rate, hasParametricStereo: hasParametricStereo)
            objectType = try Self.readObjectType(&reader)
        }
        // Main, LC, SSR and LTP share their syntax and their frame.
        guard 1...4 ~= objectType else { throw .unsupported("audio object type \(objectType)") }
        coreObjectType = objectType

        // GASpecificConfig(), § 4.4.1.
        if try reader.readFlag() { throw .unsupported("AAC with 960 samples a frame") }
        if try reader.readFlag() { try reader.skip(14) }  // coreCoderDelay
        try reader.skip(1)  // extensionFlag: nothing follows it for these object types.
        if channelConfiguration == 0 { program = try ProgramConfigElement(&reader) }
        guard !elements.isEmpty else { throw .invalid("channelConfiguration") }

        if replication == nil { replication = try? Self.readSyncExtension(&reader) }
    }

    /// The configuration in bytes, with spectral band replication signalled hierarchically.
    var bytes: [UInt8] {
        var writer = BitWriter()
        if let replication {
            writer.write(replication.hasParametricStereo ? Self.ps : Self.sbr, bits: 5)
            Self.write(sampleRate: coreSampleRate, to: &writer)
            writer.write(channelConfiguration, bits: 4)
            Self.write(sampleRate: replication.sampleRate, to: &writer)
            writer.write(coreObjectType, bits: 5)
        } else {
            writer.write(coreObjectType, bits: 5)
            Self.write(sampleRate: coreSampleRate, to: &writer)
            writer.write(channelConfiguration, bits: 4)
        }
        writer.write(0, bits: 3)  // frameLengthFlag, dependsOnCoreCoder, extensionFlag
        program?.write(to: &writer)
        return writer.bytes
    }

    /// Hz by samplingFrequencyIndex (Table 1.18).
    static let sampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    private static let sbr: UInt8 = 5
    private static let ps: UInt8 = 29

    private static func readObjectType(_ reader: inout BitReader) throws(CodecError) -> UInt8 {
        let type = UInt8(try reader.read(5))
        return type == 31 ? 32 + UInt8(try reader.read(6)) : type
    }

    private static func readSampleRate(_ reader: inout BitReader) throws(CodecError) -> Int {
        let index = Int(try reader.read(4))
        let rate = index == 15 ? Int(try reader.read(24)) : sampleRates.indices.contains(index) ? sampleRates[index] : 0
        guard rate > 0 else { throw .invalid("samplingFrequencyIndex") }
        return rate
    }

    private static func write(sampleRate: Int, to writer: inout BitWriter) {
        if let index = sampleRates.firstIndex(of: sampleRate) {
            writer.write(index, bits: 4)
        } else {
            writer.write(15, bits: 4)
            writer.write(sampleRate, bits: 24)
        }
    }

    /// Explicit signalling behind the core's configuration, which older decoders do not see (§ 1.6.5.2).
    private static func readSyncExtension(_ reader: inout BitReader) throws(CodecError) -> Replication? {
        guard reader.bitsLeft >= 16, try reader.read(11) == 0x2B7, try readObjectType(&reader) == sbr,
            try reader.readFlag()
        else { return nil }
        let rate = try readSampleRate(&reader)
        var replication = Replication(sampleRate: rate, hasParametricStereo: false)
        if reader.bitsLeft >= 12, try reader.read(11) == 0x548 {
            replication.hasParametricStereo = try reader.readFlag()
        }
        return replication
    }
}
