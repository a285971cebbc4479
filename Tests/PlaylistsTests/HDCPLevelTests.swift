import MediaCore
import Testing

@testable import Playlists

/// Apple's authoring specification § 13.5, 13.6.
@Suite struct HDCPLevelTests {
    @Test(
        arguments: [
            (640, 360, nil), (1_270, 718, nil), (1_280, 720, .type0), (1_920, 1_080, .type0), (1_080, 1_920, .type0),
            (2_560, 1_440, .type1), (3_840, 2_160, .type1),
        ] as [(Int, Int, HDCPLevel?)]
    )
    func theSizeOfThePictureDecides(width: Int, height: Int, level: HDCPLevel?) {
        let resolution = Resolution(width: width, height: height)
        #expect(HDCPLevel(.automatic, for: resolution) == level)
        #expect(HDCPLevel(.none, for: resolution) == nil)
        #expect(HDCPLevel(.type1, for: resolution) == .type1)
        #expect(HDCPLevel(.type0, for: nil) == nil, "audio needs no screen")
        #expect(HDCPLevel(.automatic, for: resolution, sharesKeyOfHDR: true) == .type1, "one key has one level")
        #expect(HDCPLevel(.none, for: resolution, sharesKeyOfHDR: true) == nil)
    }
}
