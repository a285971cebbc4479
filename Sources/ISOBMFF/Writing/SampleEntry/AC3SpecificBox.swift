import MediaCore

/// AC-3 (dac3), in `AudioSampleEntry` (ETSI TS 102 366 § F.4).
struct AC3SpecificBox: Box {
    static let type: FourCC = "dac3"

    var ac3: AC3Configuration

    var contentByteCount: Int { 3 }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeUInt24(
            UInt32(ac3.sampleRateCode & 3) << 22
                | UInt32(ac3.bitstreamIdentification & 0x1F) << 17
                | UInt32(ac3.bitstreamMode & 7) << 14
                | UInt32(ac3.audioCodingMode & 7) << 11
                | (ac3.hasLowFrequencyEffects ? 1 << 10 : 0)
                | UInt32(ac3.bitRateCode & 0x1F) << 5
        )
    }
}

/// Enhanced AC-3 (dec3), in `AudioSampleEntry` (ETSI TS 102 366 § F.6; the extension: TS 103 420).
struct EC3SpecificBox: Box {
    static let type: FourCC = "dec3"

    private let eac3: EAC3Configuration
    private let substreams: ArraySlice<EAC3Configuration.Substream>

    init(_ eac3: EAC3Configuration) {
        self.eac3 = eac3
        substreams = eac3.independentSubstreams.prefix(8)
    }

    var contentByteCount: Int {
        substreams.reduce(2) { $0 + ($1.hasChannelLocations ? 4 : 3) }
            + (eac3.jointObjectCodingComplexity == nil ? 0 : 2)
    }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeInteger(eac3.dataRate << 3 | UInt16(max(1, substreams.count) - 1))
        for substream in substreams {
            let locations = substream.hasChannelLocations ? substream.channelLocations : 0
            span.writeUInt24(
                UInt32(substream.sampleRateCode & 3) << 22
                    | UInt32(substream.bitstreamIdentification & 0x1F) << 17
                    // a reserved bit, and asvc: not an associated service
                    | UInt32(substream.bitstreamMode & 7) << 12
                    | UInt32(substream.audioCodingMode & 7) << 9
                    | (substream.hasLowFrequencyEffects ? 1 << 8 : 0)
                    // three reserved bits
                    | UInt32(substream.dependentSubstreams & 0x0F) << 1
                    // The first bit of nine, or a reserved one.
                    | UInt32(locations >> 8 & 1)
            )
            if substream.hasChannelLocations { span.writeInteger(UInt8(truncatingIfNeeded: locations)) }
        }
        if let complexity = eac3.jointObjectCodingComplexity {
            span.writeInteger(UInt8(1))  // flag_ec3_extension_type_a
            span.writeInteger(complexity)
        }
    }
}

extension EAC3Configuration.Substream {
    fileprivate var hasChannelLocations: Bool { dependentSubstreams & 0x0F > 0 }
}
