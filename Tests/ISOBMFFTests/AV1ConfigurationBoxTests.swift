import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct AV1ConfigurationBoxTests {
    @Test(
        arguments: [
            // Profile, level, tier, bit depth, chroma format, chroma sample position.
            (0, 5, false, 8, 1, 0, "05 0c"), (0, 8, false, 10, 1, 2, "08 4e"), (1, 9, true, 10, 3, 0, "29 c0"),
            (0, 4, false, 8, 0, 0, "04 1c"), (2, 13, true, 12, 2, 0, "4d e8"), (2, 31, false, 12, 3, 1, "5f 61"),
        ] as [(UInt8, UInt8, Bool, UInt8, UInt8, UInt8, String)]
    )
    func everyFieldIsInItsBits(
        profile: UInt8,
        level: UInt8,
        isHighTier: Bool,
        depth: UInt8,
        chroma: UInt8,
        position: UInt8,
        hex: String
    ) {
        var av1 = Fixture.av1
        (av1.profile, av1.level, av1.isHighTier, av1.chromaSamplePosition) = (profile, level, isHighTier, position)
        (av1.picture.lumaBitDepth, av1.picture.chromaFormat) = (depth, chroma)
        #expect(AV1ConfigurationBox(av1: av1).hex == digits("0000000f 61763143 81 \(hex) 00 0a0177"))
    }
}
