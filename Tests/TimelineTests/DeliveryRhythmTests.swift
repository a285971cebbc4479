import MediaCore
import TestSupport
import Testing
import Timeline

@Suite struct DeliveryRhythmTests {
    private static let second = MediaTime(seconds: 1)

    /// Delivers 40 ms of media at a time.
    ///
    /// - Parameters:
    ///   - rhythm: Learns from it.
    ///   - start: In seconds.
    ///   - seconds: How much media.
    ///   - burst: How much comes at once, in milliseconds.
    ///   - jitter: The most that something is late, in milliseconds.
    private static func deliver(
        _ rhythm: inout DeliveryRhythm,
        from start: Int64 = 0,
        seconds: Int64,
        burst: Int64 = 40,
        jitter: Int64 = 0
    ) {
        var generator = SeededGenerator(seed: 3)
        for time in stride(from: start * 1_000, to: (start + seconds) * 1_000, by: 40) {
            let arrival = (time / burst + 1) * burst + Int64.random(in: 0...jitter, using: &generator)
            rhythm.received(mediaTime: MediaTime(milliseconds: 7_000_000 + time), at: HealthDriver.time(arrival))
        }
    }

    @Test func aFeedThatComesAsItIsMadeIsMissedAfterASecond() {
        var rhythm = DeliveryRhythm()
        #expect(rhythm.patience == Self.second)
        Self.deliver(&rhythm, seconds: 600, jitter: 500)
        #expect(rhythm.patience == Self.second)
    }

    @Test(arguments: [(2, 3_000), (6, 9_000), (10, 15_000)] as [(Int64, Int64)])
    func aFeedThatComesInSegmentsIsMissedAfterOneAndAHalf(segment: Int64, patience: Int64) {
        var rhythm = DeliveryRhythm()
        // Known after the first.
        Self.deliver(&rhythm, seconds: segment, burst: segment * 1_000)
        #expect(abs(rhythm.patience.milliseconds - patience) <= 60)
        for round in 1..<200 {
            Self.deliver(&rhythm, from: segment * Int64(round), seconds: segment, burst: segment * 1_000)
            #expect(abs(rhythm.patience.milliseconds - patience) <= 60)
        }
    }

    @Test func aStutterIsForgottenOnceTheFeedIsCalm() {
        var rhythm = DeliveryRhythm()
        Self.deliver(&rhythm, seconds: 40)
        Self.deliver(&rhythm, from: 40, seconds: 4, burst: 4_000)
        #expect(rhythm.patience > Self.second)
        Self.deliver(&rhythm, from: 44, seconds: 18)
        #expect(rhythm.patience == Self.second)
    }

    /// A narrow link or a server that throttles: a segment comes a little faster than it plays.
    @Test(arguments: [(4, 1.25), (4, 1.4), (6, 1.25), (10, 1.25), (10, 1.4), (10, 2)] as [(Int64, Double)])
    func aFeedThatComesInSlowSegmentsIsNotMissedBetweenThem(segment: Int64, speed: Double) {
        var rhythm = DeliveryRhythm()
        let pause = MediaTime(milliseconds: Int64(Double(segment * 1_000) * (1 - 1 / speed)))
        for round in Int64(0)..<20 {
            for time in stride(from: 0, to: segment * 1_000, by: 40) as StrideTo<Int64> {
                let media = round * segment * 1_000 + time
                let arrival = round * segment * 1_000 + Int64(Double(time) / speed)
                rhythm.received(mediaTime: MediaTime(milliseconds: media), at: HealthDriver.time(arrival))
            }
            if round > 0 { #expect(rhythm.patience >= pause, "\(round)") }
        }
    }

    /// Its timestamps begin again: an encoder that dies once more is missed as soon as at first.
    @Test(arguments: [1_000, 20_000, 59_000] as [Int64])
    func anEncoderThatStartsAgainTeachesNothing(outage: Int64) {
        var rhythm = DeliveryRhythm()
        Self.deliver(&rhythm, seconds: 20)
        for time in stride(from: 0, to: 18_000, by: 40) as StrideTo<Int64> {
            let media = MediaTime(milliseconds: 7_000_000 + time)
            rhythm.received(mediaTime: media, at: HealthDriver.time(20_000 + outage + time))
        }
        #expect(rhythm.patience == Self.second)
    }

    @Test func theBacklogOfAStartIsNoRhythm() {
        var rhythm = DeliveryRhythm()
        Self.deliver(&rhythm, seconds: 5, burst: 5_000)
        #expect(rhythm.patience > Self.second)
        Self.deliver(&rhythm, from: 5, seconds: 2)
        #expect(rhythm.patience == Self.second)
    }

    @Test func mediaThatIsLostTeachesNothing() {
        var rhythm = DeliveryRhythm()
        Self.deliver(&rhythm, seconds: 40)
        Self.deliver(&rhythm, from: 60, seconds: 40)
        #expect(rhythm.patience == Self.second)
    }

    @Test func timestampsThatJumpTeachNothing() {
        var rhythm = DeliveryRhythm()
        Self.deliver(&rhythm, seconds: 20)
        for jump in [MediaTime(ticks: .min), MediaTime(ticks: .max), MediaTime(seconds: -100_000)] {
            rhythm.received(mediaTime: jump, at: HealthDriver.time(20_100))
        }
        Self.deliver(&rhythm, from: 21, seconds: 20)
        #expect(rhythm.patience == Self.second)
    }
}
