import Testing

@testable import ISOBMFF

@Suite struct MovieBoxTests {
    @Test func movieHeaderHasNoTimes() {
        #expect(
            MovieHeaderBox(timescale: 90_000, nextTrackID: 2).hex
                == digits(
                    """
                    0000006c 6d766864 00000000 00000000 00000000 00015f90 00000000 00010000 01000000 00000000 00000000
                    00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000
                    00000000 00000000 00000000 00000000 00000000 00000000 00000002
                    """
                )
        )
    }

    @Test func trackExtendsLeavesDefaultsToFragments() {
        #expect(
            MovieExtendsBox(trackExtends: TrackExtendsBox(trackID: 1)).hex
                == digits("00000028 6d766578 00000020 74726578 00000000 00000001 00000001 00000000 00000000 00000000")
        )
    }
}
