import MediaCore
import Testing

@testable import ISOBMFF

@Suite struct TrackBoxTests {
    @Test func videoHeaderHasASizeAndNoVolume() {
        #expect(
            TrackHeaderBox(trackID: 1, kind: .video, width: 640 << 16, height: 360 << 16).hex
                == digits(
                    """
                    0000005c 746b6864 00000003 00000000 00000000 00000001 00000000 00000000 00000000 00000000
                    0000 0000 0000 0000
                    00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000 02800000 01680000
                    """
                )
        )
    }

    @Test func audioHeaderHasVolumeAndNoSize() {
        #expect(
            TrackHeaderBox(trackID: 1, kind: .audio, width: 0, height: 0).hex
                == digits(
                    """
                    0000005c 746b6864 00000003 00000000 00000000 00000001 00000000 00000000 00000000 00000000
                    0000 0000 0100 0000
                    00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000 00000000 00000000
                    """
                )
        )
    }
}
