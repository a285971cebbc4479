import MediaCore

/// The substreams of one frame, from their headers.
struct DolbySubstreams {
    private(set) var first: DolbySyncframe?
    private var isEnhanced = false
    private var independent: [EAC3Configuration.Substream] = []
    private var jointObjectCodingComplexity: UInt8?

    mutating func append(_ syncframe: DolbySyncframe) {
        if first == nil { first = syncframe }
        if syncframe.isEnhanced { isEnhanced = true }
        if let complexity = syncframe.jointObjectCodingComplexity {
            jointObjectCodingComplexity = max(complexity, jointObjectCodingComplexity ?? 0)
        }
        if syncframe.kind == .dependent, let last = independent.indices.last {
            // Both are the fields of `dec3`: four bits, and nine.
            independent[last].dependentSubstreams = min(independent[last].dependentSubstreams + 1, 15)
            independent[last].channelLocations |= Self.locations(syncframe.channelMap)
        } else if independent.count < 8 {
            independent.append(
                EAC3Configuration.Substream(
                    sampleRateCode: syncframe.stream.code,
                    bitstreamIdentification: syncframe.bitstreamIdentification,
                    bitstreamMode: syncframe.bitstreamMode,
                    audioCodingMode: syncframe.audioCodingMode,
                    hasLowFrequencyEffects: syncframe.hasLowFrequencyEffects
                )
            )
        }
    }

    /// Returns the configuration of a stream whose frames take as many bytes.
    func configuration(bytes: Int) -> CodecConfiguration {
        if let first, !isEnhanced {
            return .ac3(
                AC3Configuration(
                    sampleRateCode: first.stream.code,
                    bitstreamIdentification: first.bitstreamIdentification,
                    bitstreamMode: first.bitstreamMode,
                    audioCodingMode: first.audioCodingMode,
                    hasLowFrequencyEffects: first.hasLowFrequencyEffects,
                    bitRateCode: first.bitRateCode
                )
            )
        }
        var configuration = EAC3Configuration(
            dataRate: 0,
            independentSubstreams: independent,
            jointObjectCodingComplexity: jointObjectCodingComplexity
        )
        // § F.6.2.2: thirteen bits.
        let samples = EAC3Configuration.samplesPerFrame * 1000
        let rate = (bytes * 8 * configuration.audio.sampleRate + samples / 2) / samples
        configuration.dataRate = UInt16(min(rate, 0x1FFF))
        return .eac3(configuration)
    }

    /// chan_loc of a chanmap (§ E.1.3.1.8, F.6.2.13): the channels beyond 5.1, counted from the other end.
    private static func locations(_ channelMap: UInt16) -> UInt16 {
        // Lc/Rc to Vhc are bits 5 to 12 of chanmap, whose bit 0 is the most significant, and LFE2 is bit 14.
        var locations = (channelMap >> 1 & 1) << 8
        for bit in 0..<8 as Range<UInt16> { locations |= (channelMap >> (10 - bit) & 1) << bit }
        return locations
    }
}
