import MediaCore
import Testing

@testable import Segmenting

@Suite struct SpeedWatchTests {
    private static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(milliseconds: milliseconds) }

    private static func watch() -> SpeedWatch {
        var watch = SpeedWatch()
        watch.began(at: time(0))
        return watch
    }

    @Test func aFeedOfThreeTimesTheSpeedIsToldOnceAMinuteWithItsSpeed() {
        var watch = Self.watch()
        var told: [String] = []
        for step in 1...120 as ClosedRange<Int64> {
            let news = watch.reanchored(by: Self.time(-2_000), at: Self.time(step * 1_000))
            if let news {
                #expect(news.isLoss)
                told.append(news.text)
            }
        }
        #expect(
            told == [
                "It is faster than real time: in 1.0 s it brought 2.0 s too much (300 % of real time). "
                    + "The surplus is left out, and viewers see a jump. Set the encoder to real time (ffmpeg: -re).",
                "It is faster than real time: in 60.0 s it brought 120.0 s too much (300 % of real time). "
                    + "The surplus is left out, and viewers see a jump. Set the encoder to real time (ffmpeg: -re).",
            ]
        )
    }

    @Test func aFeedThatStoodStillIsTold() {
        var watch = Self.watch()
        let news = watch.reanchored(by: Self.time(1_500), at: Self.time(3_600_000))
        #expect(
            news?.text
                == "It is slower than real time, or stopped: in 3600.0 s it fell 1.5 s behind. It was aligned again, "
                + "and viewers miss that time."
        )
    }

    /// A change within a minute of the last report is reported when the minute is over, not with the next outage.
    @Test func whatWasHeldBackIsToldInItsTime() {
        var watch = Self.watch()
        #expect(watch.reanchored(by: Self.time(1_500), at: Self.time(100_000)) != nil)
        #expect(watch.reanchored(by: Self.time(8_700), at: Self.time(120_000)) == nil)
        #expect(watch.due(at: Self.time(159_000)) == nil)
        #expect(
            watch.due(at: Self.time(160_000))?.text
                == "It is slower than real time, or stopped: in 60.0 s it fell 8.7 s behind (86 % of real time). "
                + "It was aligned again, "
                + "and viewers miss that time."
        )
        #expect(watch.due(at: Self.time(259_200_000)) == nil)
    }

    @Test func stepsBothWaysDoNotCancel() {
        var watch = Self.watch()
        #expect(watch.reanchored(by: Self.time(-1_000), at: Self.time(100_000)) != nil)
        #expect(watch.reanchored(by: Self.time(3_000), at: Self.time(110_000)) == nil)
        #expect(watch.reanchored(by: Self.time(-3_000), at: Self.time(120_000)) == nil)
        let text = watch.due(at: Self.time(160_000))?.text
        #expect(text?.contains("it brought 3.0 s too much (105 % of real time).") == true)
        #expect(text?.contains("it fell 3.0 s behind (95 % of real time).") == true)
    }

    @Test func whatIsOpenedAgainIsToldAtOnce() {
        var watch = Self.watch()
        #expect(watch.reanchored(by: Self.time(1_500), at: Self.time(100_000)) != nil)
        watch.began(at: Self.time(110_000))
        #expect(watch.reanchored(by: Self.time(1_500), at: Self.time(120_000)) != nil)
    }

    @Test func aStepThatNobodyNoticesIsNotTold() {
        var watch = Self.watch()
        #expect(watch.reanchored(by: Self.time(400), at: Self.time(100_000)) == nil)
        #expect(watch.reanchored(by: Self.time(400), at: Self.time(101_000)) != nil)
    }

    /// A tenth of a percent, then the same for long, then twice as much, then the other way.
    @Test func driftIsToldOnceWithItsMeasureAndAgainWhereItHasDoubledOrTurned() {
        var watch = Self.watch()
        var now: Int64 = 0
        var told: [String] = []
        for (rate, seconds) in [(-1_000, 3_600), (-2_100, 1_200), (900, 1_200)] as [(Int64, Int64)] {
            for _ in 0..<seconds {
                now += 1_000
                guard let news = watch.slewed(by: MediaTime(ticks: rate * 90_000 / 1_000_000), at: Self.time(now))
                else {
                    continue
                }
                #expect(!news.isLoss)
                told.append(String(news.text.prefix { $0 != "." && $0 != "%" }) + "|" + news.text.prefix(30))
            }
        }
        #expect(told.count == 3)
        #expect(told.first?.hasSuffix("|Its clock runs 0.10 % fast. Da") == true, "\(told)")
        #expect(told.last?.contains("slow") == true, "\(told)")
    }

    @Test func aCrystalIsAsGoodAsOthers() {
        var watch = Self.watch()
        for second in 1...100_000 as ClosedRange<Int64> {
            #expect(watch.slewed(by: MediaTime(ticks: 9), at: Self.time(second * 1_000)) == nil)
        }
    }
}
