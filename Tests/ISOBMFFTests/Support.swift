import MediaCore
import NIOCore

@testable import ISOBMFF

extension Box {
    /// The box as it is written, two digits a byte.
    var hex: String { ByteBuffer(initialCapacity: byteCount) { span in encode(into: &span) }.hex }
}

extension ProtectableSampleEntry {
    var hex: String { ByteBuffer(initialCapacity: byteCount) { span in encode(into: &span) }.hex }
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

enum Fixture {
    static let keyID = KeyID(Bytes16(high: 0x0123_4567_89AB_CDEF, low: 0x0123_4567_89AB_CDEF))
    static let constantIV = Bytes16(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    static let videoEncryption = TrackEncryption(keyID: keyID, constantIV: constantIV, pattern: .video)
    static let audioEncryption = TrackEncryption(keyID: keyID, constantIV: constantIV, pattern: .wholeSample)

    /// 640 × 360, High profile, level 3.0, as x264 made it.
    static let avc = AVCConfiguration(
        sequenceParameterSets: [
            Array(ByteBuffer(hex: "6764001eacd940a02ff97016a02020280000030008000003019078b16cb0").readableBytesView)
        ],
        pictureParameterSets: [Array(ByteBuffer(hex: "68ebe3cb22c0").readableBytesView)],
        profile: 0x64,
        compatibility: 0,
        level: 0x1E,
        width: 640,
        height: 360,
        colour: ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    )

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
