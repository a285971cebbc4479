import MediaCore
import Testing

@testable import Codecs

/// The duration of frames as headers promise it.
struct FrameDurationTests {
    private static func configuration(_ sets: [String]) -> CodecConfiguration {
        .avc(
            AVCConfiguration(
                sequenceParameterSets: sets.map { [UInt8](hex: $0) },
                pictureParameterSets: [],
                profile: 66,
                compatibility: 0,
                level: 12,
                picture: PictureFormat(width: 320, height: 180)
            )
        )
    }

    private static let variable = "6742c00cd901419f9f011000000300100000030320f142a480"
    /// The same with fixed_frame_rate_flag.
    private static let fixed = "6742c00cd901419f9f011000000300100000030328f142a480"

    @Test func aFixedFrameRateIsAPromise() {
        #expect(Self.configuration([Self.fixed]).declaredFrameDuration == MediaTime(milliseconds: 40))
        #expect(Self.configuration([Self.fixed, Self.fixed]).declaredFrameDuration == MediaTime(milliseconds: 40))
    }

    @Test func aFrameRateAloneIsNone() {
        #expect(Self.configuration([Self.variable]).declaredFrameDuration == nil)
        #expect(Self.configuration([Self.fixed, Self.variable]).declaredFrameDuration == nil)
        #expect(Self.configuration([]).declaredFrameDuration == nil)
        #expect(Self.configuration(["67"]).declaredFrameDuration == nil)
    }
}
