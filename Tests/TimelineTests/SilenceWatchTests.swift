import MediaCore
import TestSupport
import Testing

@testable import Timeline

@Suite struct SilenceWatchTests {
    private static let timeout = MediaTime(seconds: 2)
    private var watch = SilenceWatch(timeout: timeout)

    private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(milliseconds: milliseconds) }

    /// Packets of one track every 40 ms whose time stamps run from `media` on.
    private mutating func send(
        _ range: Range<Int64>,
        media: Int64? = nil,
        track: InputTrackIndex = 0,
        patience: Int64 = 0
    ) -> [SilenceWatch.News] {
        var news: [SilenceWatch.News] = []
        for now in stride(from: range.lowerBound, to: range.upperBound, by: 40) {
            let mediaTime = time((media ?? range.lowerBound) + now - range.lowerBound)
            watch.received(track: track, mediaTime: mediaTime, at: time(now))
            if let change = watch.timeAdvanced(to: time(now), patience: time(patience)) { news.append(change) }
        }
        return news
    }

    private mutating func wait(_ range: Range<Int64>, patience: Int64 = 0) -> [SilenceWatch.News] {
        stride(from: range.lowerBound, to: range.upperBound, by: 250).compactMap {
            watch.timeAdvanced(to: time($0), patience: time(patience))
        }
    }

    @Test mutating func silenceIsALossOnceAndEndsWithASecondOfMedia() {
        watch.opened(at: time(0))
        #expect(send(0..<4_000).isEmpty)
        #expect(wait(4_000..<60_000) == [.silent(since: time(3_960))])
        #expect(watch.silentSince == time(3_960))
        #expect(send(60_000..<60_960).isEmpty, "it may be a last gasp")
        #expect(send(60_960..<62_000) == [.back(since: time(60_000))])
        #expect(watch.silentSince == nil)
        #expect(wait(62_000..<70_000) == [.silent(since: time(61_960))])
    }

    @Test mutating func anInputThatOpensAndBringsNothingIsLost() {
        watch.opened(at: time(0))
        #expect(wait(0..<5_000) == [.silent(since: time(0))])
    }

    @Test mutating func closedInputIsNotLost() {
        #expect(wait(0..<60_000).isEmpty)
        watch.opened(at: time(60_000))
        watch.closed()
        #expect(wait(60_000..<90_000).isEmpty)
    }

    @Test mutating func timeStampsThatStandStillAreSilence() {
        watch.opened(at: time(0))
        #expect(send(0..<4_000).isEmpty)
        var news: [SilenceWatch.News] = []
        for now in stride(from: Int64(4_000), to: 20_000, by: 40) {
            watch.received(track: 0, mediaTime: time(3_000 + now % 960), at: time(now))
            watch.timeAdvanced(to: time(now), patience: .zero).map { news.append($0) }
        }
        #expect(news == [.silent(since: time(3_960))])
    }

    @Test mutating func timeStampsThatBeginAnewAreMedia() {
        watch.opened(at: time(0))
        #expect(send(0..<4_000, media: 95_443_000).isEmpty)
        #expect(send(4_000..<8_000, media: 0).isEmpty)
        #expect(send(8_000..<12_000, media: 50_000).isEmpty)
    }

    @Test mutating func aPacketNowAndThenIsOneAlarm() {
        watch.opened(at: time(0))
        #expect(send(0..<1_000).isEmpty)
        var news: [SilenceWatch.News] = []
        for now in stride(from: Int64(1_000), to: 60_000, by: 250) {
            if now % 3_000 == 0 { watch.received(track: 0, mediaTime: time(now), at: time(now)) }
            watch.timeAdvanced(to: time(now), patience: .zero).map { news.append($0) }
        }
        #expect(news == [.silent(since: time(3_000))])
    }

    @Test mutating func aFeedThatComesInLumpsMayPause() {
        watch.opened(at: time(0))
        #expect(send(0..<1_000, patience: 8_000).isEmpty)
        #expect(wait(1_000..<8_750, patience: 8_000).isEmpty)
        #expect(wait(8_750..<20_000, patience: 8_000) == [.silent(since: time(960))])
    }

    /// An encoder that repeats its media falls further and further behind the clock, which is no rhythm.
    @Test mutating func growingPatienceDoesNotDelayALoss() {
        watch.opened(at: time(0))
        #expect(send(0..<1_000).isEmpty)
        let news = stride(from: Int64(1_000), to: 8_000, by: 250).compactMap {
            watch.timeAdvanced(to: time($0), patience: time($0 * 3 / 2))
        }
        #expect(news == [.silent(since: time(960))])
    }

    /// A process that was stopped has not heard what came meanwhile.
    @Test mutating func aPauseOfThisProcessIsNoLoss() {
        watch.opened(at: time(0))
        #expect(send(0..<1_000).isEmpty)
        #expect(watch.timeAdvanced(to: time(30_000), patience: .zero) == nil)
        #expect(send(30_000..<31_000).isEmpty)
        #expect(wait(31_000..<40_000) == [.silent(since: time(30_960))])
    }

    @Test mutating func withoutATimeoutNothingIsLost() {
        watch = SilenceWatch(timeout: nil)
        watch.opened(at: time(0))
        #expect(wait(0..<600_000).isEmpty)
    }

    @Test mutating func tracksWithoutEndTakeNoMemory() {
        watch.opened(at: time(0))
        for track in 0..<100_000 {
            watch.received(track: InputTrackIndex(track), mediaTime: time(Int64(track)), at: time(1))
        }
        #expect(watch.trackCount == 64)
    }
}
