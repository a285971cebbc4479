import MediaCore

/// MPEG-4 audio sample entry (mp4a, or enca over it), in `SampleDescriptionBox` (ISO/IEC 14496-14 § 6.7).
struct AACSampleEntry: ProtectableSampleEntry {
    static let clearType: FourCC = "mp4a"
    static let protectedType: FourCC = "enca"

    var channels: UInt16
    /// Hz; 0 where 16 bits are too few, and decoders read AudioSpecificConfig anyway.
    var sampleRate: UInt16
    var descriptor: ElementaryStreamDescriptorBox
    var protection: ProtectionSchemeInformationBox?

    init(_ aac: AACConfiguration, encryption: TrackEncryption?) {
        channels = UInt16(clamping: aac.channels)
        sampleRate = UInt16(exactly: aac.outputSampleRate) ?? 0
        descriptor = ElementaryStreamDescriptorBox(audioSpecificConfig: aac.audioSpecificConfig)
        protection = encryption.map { ProtectionSchemeInformationBox(originalFormat: Self.clearType, encryption: $0) }
    }

    var contentByteCount: Int { 28 + descriptor.byteCount }

    func encodeContent(into span: inout OutputRawSpan) {
        span.writeZeros(6)
        span.writeInteger(UInt16(1))  // data_reference_index
        span.writeZeros(8)
        span.writeInteger(channels)
        span.writeInteger(UInt16(16))  // samplesize
        span.writeZeros(4)
        span.writeInteger(UInt32(sampleRate) << 16)
        descriptor.encode(into: &span)
    }
}

/// Elementary stream descriptor (esds), in `AACSampleEntry` (ISO/IEC 14496-14 § 6.7, 14496-1 § 7.2.6).
struct ElementaryStreamDescriptorBox: FullBox {
    static let type: FourCC = "esds"

    private let audioSpecificConfig: [UInt8]
    private let decoderSpecificInfo: Descriptor
    private let decoderConfig: Descriptor
    private let synchronization = Descriptor(tag: 6, contentByteCount: 1)
    private let elementaryStream: Descriptor

    init(audioSpecificConfig: [UInt8]) {
        self.audioSpecificConfig = audioSpecificConfig
        decoderSpecificInfo = Descriptor(tag: 5, contentByteCount: audioSpecificConfig.count)
        decoderConfig = Descriptor(tag: 4, contentByteCount: 13 + decoderSpecificInfo.byteCount)
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
        span.writeInteger(UInt8(0x40))  // objectTypeIndication: audio of ISO/IEC 14496-3
        span.writeInteger(UInt8(5 << 2 | 1))  // streamType audio, downstream
        span.writeZeros(11)  // bufferSizeDB, maxBitrate and avgBitrate are not known
        decoderSpecificInfo.encodeHeader(into: &span)
        span.write(audioSpecificConfig)
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
