import MediaCore
import Recording
import Testing

@Suite struct ViewerDelayTests {
    private static let extent = MediaSequenceNumber(10)..<MediaSequenceNumber(20)

    @Test(
        arguments: [
            (79, 16, 10..<16), (80, 17, 10..<17), (40, 7, 10..<10), (200, 47, 10..<20),
        ] as [(Int64, Int64, Range<Int64>)]
    )
    func slotsAreSeenOnceTheyAreOldEnough(now: Int64, end: Int64, seen: Range<Int64>) {
        let delay = ViewerDelay(MediaTime(seconds: 12), segmentDuration: MediaTime(seconds: 4))
        #expect(delay.end(at: MediaTime(seconds: now)) == MediaSequenceNumber(end))
        let slots = delay.seen(of: Self.extent, at: MediaTime(seconds: now))
        #expect(slots.lowerBound.value..<slots.upperBound.value == seen)
    }

    @Test func withoutADelayAllAreSeen() {
        let delay = ViewerDelay(.zero, segmentDuration: MediaTime(seconds: 4))
        #expect(delay.end(at: MediaTime(seconds: 80)) == nil)
        #expect(delay.seen(of: Self.extent, at: MediaTime(seconds: 80)) == Self.extent)
    }
}
