import MediaCore
import NIOCore

@testable import ISOBMFF
@testable import Inspection

extension Box {
    /// The box as it is written, two digits a byte.
    var hex: String { ByteBuffer(initialCapacity: byteCount) { span in encode(into: &span) }.hex }
}

extension CodecConfiguration {
    /// The sample entry as it is written, two digits a byte.
    func sampleEntryHex(encryption: TrackEncryption? = nil) -> String { sampleEntry(encryption: encryption).hex }
}

extension BoxDump {
    /// One box.
    init(_ box: any Box) {
        self.init(ByteBuffer(hex: box.hex))
    }
}

extension ByteBuffer {
    var hex: String { readableBytesView.hex }

    /// Reads digits; spaces and line breaks are for the reader.
    init(hex text: String) {
        var digits = text.filter { !$0.isWhitespace }[...]
        self.init()
        while let byte = UInt8(digits.prefix(2), radix: 16) {
            writeInteger(byte)
            digits = digits.dropFirst(2)
        }
    }
}

/// Digits without spaces and line breaks.
func digits(_ text: String) -> String { text.filter { !$0.isWhitespace } }

func bytes(_ hex: String) -> [UInt8] { Array(ByteBuffer(hex: hex).readableBytesView) }

enum Fixture {
    static let keyID = KeyID(Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF))
    static let constantIV = Bytes16(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    static let videoEncryption = TrackEncryption(
        keyID: keyID,
        scheme: .cbcs(constantIV: constantIV, pattern: .video),
        headers: [.common(keyID)]
    )
    static let audioEncryption = TrackEncryption(
        keyID: keyID,
        scheme: .cbcs(constantIV: constantIV, pattern: .wholeSample),
        headers: [.common(keyID)]
    )
    static let counterEncryption = TrackEncryption(keyID: keyID, scheme: .cenc, headers: [.common(keyID)])

    /// 640 × 360, High profile, level 3.0, as x264 made it.
    static let avc = AVCConfiguration(
        sequenceParameterSets: [
            Array(ByteBuffer(hex: "6764001eacd940a02ff97016a02020280000030008000003019078b16cb0").readableBytesView)
        ],
        pictureParameterSets: [Array(ByteBuffer(hex: "68ebe3cb22c0").readableBytesView)],
        profile: 0x64,
        compatibility: 0,
        level: 0x1E,
        picture: PictureFormat(
            width: 640,
            height: 360,
            colour: ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
        )
    )

    /// 3840 × 2160, Main 10, level 5.0, with parameter sets that only count.
    static let hevc = HEVCConfiguration(
        videoParameterSets: [[0x40, 0x01, 0x0C]],
        sequenceParameterSets: [[0x42, 0x01, 0x01]],
        pictureParameterSets: [[0x44, 0x01]],
        profileTierLevel: HEVCConfiguration.ProfileTierLevel(
            profile: 2,
            compatibilityFlags: 0x2000_0000,
            constraintFlags: 0xB000_0000_0000,
            level: 150
        ),
        picture: PictureFormat(width: 3840, height: 2160, lumaBitDepth: 10, chromaBitDepth: 10)
    )

    /// 1280 × 720, Main, level 3.1.
    static let av1 = AV1Configuration(
        sequenceHeader: [0x0A, 0x01, 0x77],
        profile: 0,
        level: 5,
        isHighTier: false,
        picture: PictureFormat(width: 1280, height: 720)
    )

    /// 5.1 at 384 kbit/s.
    static let ac3 = AC3Configuration(
        sampleRateCode: 0,
        bitstreamIdentification: 8,
        bitstreamMode: 0,
        audioCodingMode: 7,
        hasLowFrequencyEffects: true,
        bitRateCode: 14
    )

    /// 5.1 at 192 kbit/s.
    static let eac3 = EAC3Configuration(
        dataRate: 192,
        independentSubstreams: [
            EAC3Configuration.Substream(sampleRateCode: 0, audioCodingMode: 7, hasLowFrequencyEffects: true)
        ]
    )

    static let opus = OpusConfiguration(channels: 2, preSkip: 312, inputSampleRate: 44_100, outputGain: -256)

    static let flac = FLACConfiguration(
        streamInfo: (1...34).map { $0 },
        sampleRate: 44_100,
        channels: 2,
        bitsPerSample: 24,
        samplesPerFrame: 4096
    )

    static let alac = ALACConfiguration(
        specificConfig: bytes("00001000 00 18 28 0a 0e 02 00ff 00001234 00005678 0000ac44"),
        sampleRate: 44_100,
        channels: 2,
        bitsPerSample: 24,
        samplesPerFrame: 4096
    )

    /// One configuration of every codec.
    static let configurations: [CodecConfiguration] = [
        .avc(avc), .hevc(hevc), .av1(av1), .aac(aac), .ac3(ac3), .eac3(eac3),
        .mpegAudio(MPEGAudioConfiguration(layer: 3, sampleRate: 44_100, channels: 2)), .opus(opus), .flac(flac),
        .alac(alac),
    ]

    /// LC, 48 kHz, stereo.
    static let aac = AACConfiguration(
        audioSpecificConfig: [0x11, 0x90],
        objectType: 2,
        coreSampleRate: 48_000,
        outputSampleRate: 48_000,
        channels: 2
    )

    static func sample(
        _ payload: [UInt8],
        duration: UInt32 = 3600,
        offset: Int32 = 0,
        isSync: Bool = true,
        subsamples: [Subsample] = []
    ) -> FragmentSample {
        FragmentSample(
            duration: duration,
            compositionOffset: offset,
            isSync: isSync,
            payload: ByteBuffer(bytes: payload),
            subsamples: subsamples
        )
    }
}
