import MediaCore
import Testing

@testable import Packaging

@Suite struct BoundaryTests {
    static let start = Boundary(media: MediaTime(seconds: 100), utcOffset: MediaTime(seconds: 1_000))

    @Test func utcIsMediaTimeAndItsOffset() {
        #expect(Self.start.utc == MediaTime(seconds: 1_100))
    }

    /// 100 ppm of four seconds are 36 ticks.
    @Test(
        arguments: [(0, 0), (20, 20), (-20, -20), (36, 36), (37, 36), (90_000, 36), (-90_000, -36)] as [(Int64, Int64)]
    )
    func utcIsSlewedByAtMost100ppmOfTheSegment(change: Int64, slewed: Int64) {
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
