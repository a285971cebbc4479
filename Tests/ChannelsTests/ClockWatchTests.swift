import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

@Suite struct ClockWatchTests {
    @Test func aStepIsToldOnce() {
        var watch = ClockWatch()
        let now = Epoch.time
        let news = [0, 900, -1000, 1001, 1001, 1500, 3_600_000, 3_600_500, -2000, 0, 0].map { step in
            watch.observe(now, wallClock: now + MediaTime(milliseconds: step))
        }
        #expect(news.indices.filter { news[$0] != nil } == [3, 6, 8, 9])
        #expect(news[6]?.contains("3600000 ms ahead of") == true)
        #expect(news[8]?.contains("2000 ms behind") == true)
        #expect(news[9]?.contains("again") == true)
    }

    /// Its timestamps are UTC, which the machine has learnt after the program had started.
    @Test(arguments: [3_600_000, 0] as [Int64])
    func aClockThatIsSetIsOnRecordAndWhatIsSignalledIsJudgedByIt(step: Int64) {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        let feed = ChannelFeed(base: (Epoch.time.ticks + step * 90) % ChannelFeed.modulus)
        feed.open(input)
        fixture.clock.step(by: MediaTime(milliseconds: step))
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        #expect(fixture.record.count { $0 == "clock" } == (step == 0 ? 0 : 1))
        #expect(fixture.window("video-180p") == ["\(step / 4_000)", "\(step / 4_000 + 1)"])
    }
}
