import MediaCore
import Playlists
import Presentation
import Testing

@Suite struct PresentationRetentionTests {
    private static let first = "video-1080p/448812000.m4s"

    @Test func aRemovedSegmentStaysForItsDurationAndTheLongestPlaylist() throws {
        var channel = Channel(window: MediaTime(seconds: 40))
        try channel.publish(count: 10)
        #expect(channel.resource(Self.first).resource?.expires == nil)
        try channel.publish()
        #expect(try channel.playlist().mediaSequence.value == Channel.firstNumber + 1)

        let expires = channel.now + MediaTime(seconds: 44)
        #expect(channel.resource(Self.first).resource?.expires == expires)
        let lastTick = expires - MediaTime(ticks: 1)
        #expect(channel.presentation.resource(Self.first, now: lastTick).resource != nil)
        #expect(channel.presentation.resource(Self.first, now: expires) == .notFound(.expired))

        let bytes = channel.presentation.snapshot().totals.bytes
        channel.presentation.tick(now: lastTick)
        #expect(channel.presentation.snapshot().totals.bytes == bytes)
        channel.presentation.tick(now: expires)
        #expect(channel.presentation.snapshot().totals.bytes == bytes - 2000)
        #expect(channel.presentation.resource(Self.first, now: expires) == .notFound(.expired))
    }

    @Test func publishingDropsWhatHasExpired() throws {
        var channel = Channel()
        try channel.publish(count: 60)
        // 6 listed and 7 retained slots of 28 s each, with two renditions of 1000 bytes.
        let playlists = [
            "index.m3u8", "video-1080p.m3u8", "audio-en.m3u8", "video-1080p/init.mp4", "audio-en/init.mp4",
        ]
        .compactMap { channel.resource($0).resource?.byteCount }.reduce(0, +)
        #expect(channel.presentation.snapshot().totals.bytes == 13 * 2000 + playlists)
        #expect(channel.presentation.snapshot().totals.droppedEarly == 0)
    }

    @Test func anInitializationSectionStaysWhileASegmentNeedsIt() throws {
        var channel = Channel()
        for slot in 0..<Int64(8) { try channel.publish(keyPeriod: slot / 4) }
        #expect(channel.resource("video-1080p/init-0.mp4").resource?.kind == .initialization)
        channel.presentation.tick(now: channel.now + MediaTime(seconds: 60))
        #expect(channel.resource("video-1080p/init-0.mp4").resource != nil)
        for _ in 0..<9 { try channel.publish(keyPeriod: 1) }
        #expect(channel.resource("video-1080p/init-0.mp4") == .notFound(.unknown))
        #expect(channel.resource("video-1080p/init-1.mp4").resource != nil)
    }

    @Test func aGapHasNoMediaWhileItIsListedAndIsForgottenLater() throws {
        var channel = Channel()
        try channel.publish()
        try channel.publish(gaps: [Channel.audio])
        #expect(channel.resource("audio-en/448812001.m4s") == .notFound(.gap))
        #expect(channel.resource("video-1080p/448812001.m4s").resource?.kind == .segment)
        try channel.publish(count: 20)
        #expect(channel.resource("audio-en/448812001.m4s") == .notFound(.expired))
    }

    @Test(arguments: [
        "", "/", "index", "video-1080p", "video-1080p/", "video-1080p/448812001.m4s", "video-1080p/448811999.m4s",
        "video-1080p/x.m4s", "video-1080p/448812000.ts", "other/448812000.m4s", "video-1080p/448812000.m4s/",
        "video-1080p/99999999999999999999.m4s", "../index.m3u8", "other.m3u8",
    ])
    func otherPathsAreUnknown(path: String) throws {
        var channel = Channel()
        try channel.publish()
        #expect(channel.resource(path) == .notFound(.unknown))
    }

    @Test func beyondTheByteBudgetRetainedSegmentsGoOldestFirstAndThenTheWindowShrinksToItsFloor() throws {
        var channel = Channel(maximumBytes: 8_000_000)
        let byteCounts = [Channel.video: 990_000, Channel.audio: 10_000]
        for _ in 0..<10 { try channel.publish(byteCounts: byteCounts) }
        // 6 listed and 1 retained slots fit, with the playlists.
        var totals = channel.presentation.snapshot().totals
        #expect((7_000_000...8_000_000).contains(totals.bytes))
        #expect(totals.droppedEarly == 6)
        #expect(channel.resource("video-1080p/448812002.m4s") == .notFound(.expired))
        #expect(channel.resource("video-1080p/448812003.m4s").resource != nil)

        for _ in 0..<6 { try channel.publish(byteCounts: [Channel.video: 2_000_000]) }
        totals = channel.presentation.snapshot().totals
        // RFC 8216bis § 6.2.2: three target durations of 6 s remain in any case.
        #expect(try channel.playlist().segments.count == 5)
        #expect((10_000_000...10_100_000).contains(totals.bytes))
        #expect(try channel.playlist().segments.allSatisfy { channel.resource($0.uri).resource != nil })
        #expect(channel.presentation.memoryUse.shortage == .window)
    }

    @Test func theLimitHoldsWhateverTheWindowIs() throws {
        var channel = Channel(window: MediaTime(seconds: 7200), maximumBytes: 20_000_000)
        for _ in 0..<100 {
            try channel.publish(byteCounts: [Channel.video: 1_900_000, Channel.audio: 100_000])
            #expect(channel.presentation.snapshot().totals.bytes <= 20_000_000)
        }
        #expect((8...9).contains(try channel.playlist().segments.count))
    }

    @Test func whatIsToComeIsSaidFromTheFirstSlotsOn() throws {
        let byteCounts = [Channel.video: 990_000, Channel.audio: 10_000]
        let expected: [(limit: Int, MemoryUse.Shortage?)] = [
            (5_000_000, .windowToCome), (10_000_000, .retentionToCome), (14_000_000, nil),
        ]
        for (limit, shortage) in expected {
            var channel = Channel(maximumBytes: limit)
            for _ in 0..<2 { try channel.publish(byteCounts: byteCounts) }
            #expect(channel.presentation.memoryUse.shortage == nil)
            try channel.publish(byteCounts: byteCounts)
            #expect(channel.presentation.memoryUse.shortage == shortage)
            for _ in 0..<20 { try channel.publish(byteCounts: byteCounts) }
            let then: MemoryUse.Shortage? = shortage.map { $0 == .windowToCome ? .window : .retention }
            #expect(channel.presentation.memoryUse.shortage == then)
            #expect((channel.presentation.memoryUse.problem == nil) == (then == nil))
        }
    }
}
