import MediaCore
import Testing

@testable import Segmenting

@Suite struct BoundaryTests {
    static let start = Boundary(media: MediaTime(seconds: 100), utcOffset: MediaTime(seconds: 1_000))

    @Test func utcIsMediaTimeAndItsOffset() {
        #expect(Self.start.utc == MediaTime(seconds: 1_100))
    }

    /// 2000 ppm of four seconds are 720 ticks.
    @Test(
        arguments: [(0, 0), (20, 20), (-20, -20), (720, 720), (721, 720), (90_000, 720), (-90_000, -720)]
            as [(Int64, Int64)]
    )
    func utcIsSlewedByAtMost2000ppmOfTheSegment(change: Int64, slewed: Int64) {
        let end = Boundary(
            media: MediaTime(seconds: 104),
            utcOffset: MediaTime(seconds: 1_000) + MediaTime(ticks: change),
            after: Self.start
        )
        #expect(end.media == MediaTime(seconds: 104))
        #expect(end.utc - Self.start.utc == MediaTime(seconds: 4) + MediaTime(ticks: slewed))
    }

    @Test func aSegmentWithoutLengthIsNotSlewed() {
        let end = Boundary(media: Self.start.media, utcOffset: .zero, after: Self.start)
        #expect(end == Self.start)
    }
}
