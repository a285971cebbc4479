import MediaCore

/// Elementary stream descriptor (esds), in `AudioSampleEntry` (ISO/IEC 14496-14 § 6.7, 14496-1 § 7.2.6).
struct ElementaryStreamDescriptorBox: FullBox {
    static let type: FourCC = "esds"

    private let objectType: UInt8
    private let specificInfo: [UInt8]
    private let decoderSpecificInfo: Descriptor?
    private let decoderConfig: Descriptor
    private let synchronization = Descriptor(tag: 6, contentByteCount: 1)
    private let elementaryStream: Descriptor

    /// AAC, which is what AudioSpecificConfig says of it.
    init(_ aac: AACConfiguration) {
        self.init(objectType: 0x40, specificInfo: aac.audioSpecificConfig)
    }

    /// Bare frames of MPEG-1 (ISO/IEC 11172-3) or, at the lower rates, MPEG-2 (13818-3), which say everything themselves.
    ///
    /// Object type 34 of MPEG-4, which playlists call it by, is for frames repacked by ISO/IEC 14496-3 § 9.
    init(_ audio: MPEGAudioConfiguration) {
        self.init(objectType: audio.sampleRate < 32_000 ? 0x69 : 0x6B, specificInfo: [])
    }

    private init(objectType: UInt8, specificInfo: [UInt8]) {
        self.objectType = objectType
        self.specificInfo = specificInfo
        decoderSpecificInfo =
            specificInfo.isEmpty ? nil : Descriptor(tag: 5, contentByteCount: specificInfo.count)
        decoderConfig = Descriptor(tag: 4, contentByteCount: 13 + (decoderSpecificInfo?.byteCount ?? 0))
        elementaryStream = Descriptor(
            tag: 3,
            contentByteCount: 3 + decoderConfig.byteCount + synchronization.byteCount
        )
    }

    var fieldsByteCount: Int { elementaryStream.byteCount }

    func encodeFields(into span: inout OutputRawSpan) {
        elementaryStream.encodeHeader(into: &span)
        span.writeInteger(UInt16(0))  // ES_ID: 0 in files (ISO/IEC 14496-14 § 4.1.2)
        span.writeInteger(UInt8(0))  // no dependency, URL or clock reference
        decoderConfig.encodeHeader(into: &span)
        span.writeInteger(objectType)
        span.writeInteger(UInt8(5 << 2 | 1))  // streamType audio, downstream
        span.writeZeros(11)  // bufferSizeDB, maxBitrate and avgBitrate are not known
        decoderSpecificInfo?.encodeHeader(into: &span)
        span.write(specificInfo)
        synchronization.encodeHeader(into: &span)
        span.writeInteger(UInt8(2))  // predefined: for use in MP4 files
    }

    /// Tag and size of a descriptor; the size has 7 bits a byte (ISO/IEC 14496-1 § 8.3.3).
    private struct Descriptor {
        var tag: UInt8
        var contentByteCount: Int

        private var sizeByteCount: Int {
            max(1, (Int.bitWidth - contentByteCount.leadingZeroBitCount + 6) / 7)
        }

        var byteCount: Int { 1 + sizeByteCount + contentByteCount }

        func encodeHeader(into span: inout OutputRawSpan) {
            span.writeInteger(tag)
            for index in (0..<sizeByteCount).reversed() {
                let septet = UInt8(contentByteCount >> (7 * index) & 0x7F)
                span.writeInteger(index == 0 ? septet : 0x80 | septet)
            }
        }
    }
}
