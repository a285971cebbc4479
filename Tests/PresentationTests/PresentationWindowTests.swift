import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

/// The changes that RFC 8216bis § 6.2.1 and 6.2.2 allow from one version of a playlist to the next.
@Suite struct PresentationWindowTests {
    @Test func whereTheWindowBeginsAnewARenditionThatIsAwayHoldsNobodyUp() throws {
        var channel = Channel()
        try channel.publish(count: 6)
        try channel.leap(to: channel.nextNumber + 100)
        for _ in 0..<3 { try channel.publish(gaps: [Channel.video]) }
        #expect(try channel.playlist(Channel.audio).segments.count == 3)
        try channel.publish()
        #expect(try channel.playlist(Channel.audio).segments.count == 4)
        #expect(try channel.playlist(Channel.video).segments.count == 1)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func everyPublicationIsAPermittedChange(seed: UInt64) throws {
        var feed = RandomFeed(seed: seed)
        let presentation = feed.makePresentation()
        var previous: [RenditionID: MediaPlaylist] = [:]
        for _ in 0..<60 {
            let slot = feed.nextSlot()
            try presentation.publish(slot, now: feed.now)
            var current: [RenditionID: MediaPlaylist] = [:]
            var isLongEnough = previous.isEmpty
            for id in RandomFeed.renditions {
                guard let resource = presentation.resource("\(id).m3u8", now: feed.now).resource else { continue }
                let playlist = try MediaPlaylist(parsing: String(buffer: resource.body.read()))
                current[id] = playlist
                expectConsistent(playlist, in: presentation, feed: feed)
                if let old = previous[id] {
                    let isPermitted = expectPermittedChange(from: old, to: playlist, window: feed.window)
                    isLongEnough = isLongEnough || isPermitted
                } else {
                    #expect(playlist.segments.count == 1 && !playlist.segments[0].isGap)
                }
            }
            #expect(isLongEnough)
            #expect(current.isEmpty || current.count == RandomFeed.renditions.count)
            // Renditions move together, and their discontinuities are the same.
            #expect(Set(current.values.map(\.mediaSequence)).count <= 1)
            #expect(Set(current.values.map(\.segments.count)).count <= 1)
            #expect(Set(current.values.map { $0.discontinuitySequences }).count <= 1)
            previous = current
        }
        #expect(!previous.isEmpty)
    }

    /// - Returns: True if the window is as long as it should be; a gap of any rendition may leave it early.
    private func expectPermittedChange(from old: MediaPlaylist, to new: MediaPlaylist, window: MediaTime) -> Bool {
        let removed = Int(new.mediaSequence.value - old.mediaSequence.value)
        #expect(new.targetDuration == old.targetDuration)
        #expect((0..<old.segments.count).contains(removed))
        // A published line never changes: URI, duration, gap, discontinuity, date, key and map.
        #expect(new.segments.dropLast() == old.segments.dropFirst(removed))
        #expect(new.discontinuitySequences.dropLast() == old.discontinuitySequences.dropFirst(removed))
        #expect(
            new.discontinuitySequence
                == old.discontinuitySequence + old.segments.prefix(removed).count(where: \.startsDiscontinuity)
        )
        guard removed > 0 else { return true }
        #expect(new.segments.count >= 6)
        #expect(new.duration >= MediaTime(seconds: Int64(3 * new.targetDuration)))
        return old.segments.prefix(removed).contains(where: \.isGap) || new.duration >= window
    }

    private func expectConsistent(_ playlist: MediaPlaylist, in presentation: Presentation, feed: RandomFeed) {
        #expect(playlist.targetDuration == 6)
        for (segment, next) in zip(playlist.segments, playlist.segments.dropFirst()) {
            let end = segment.programDateTime + segment.duration.time
            #expect(abs((next.programDateTime - end).ticks) <= 91)
        }
        for segment in playlist.segments {
            #expect(segment.duration.microseconds < 6_500_000)
            let lookup = presentation.resource(segment.uri, now: feed.now)
            #expect(segment.isGap ? lookup == .notFound(.gap) : lookup.resource?.kind == .segment)
            // Players fetch key and map of a gap too: it never brings any that no media has.
            #expect(segment.map.flatMap { presentation.resource($0.uri, now: feed.now).resource } != nil)
            #expect(segment.keys.first.map { feed.publishedKeys.contains($0) } ?? !feed.isEncrypted)
        }
    }

    @Test(arguments: [(24, 6), (25, 7), (1, 6), (60, 15), (3600, 40)])
    func theWindowHasItsDurationAndAtLeastSixSegments(seconds: Int64, count: Int) throws {
        var channel = Channel(window: MediaTime(seconds: seconds))
        try channel.publish(count: 40)
        #expect(try channel.playlist().segments.count == count)
    }

    @Test(arguments: [(6, 6), (8, 6), (9, 7), (10, 8)])
    func threeTargetDurationsStay(targetDuration: Int, count: Int) throws {
        var channel = Channel(window: .zero, targetDuration: targetDuration)
        try channel.publish(count: 12)
        #expect(try channel.playlist().segments.count == count)
    }

    @Test func aLeadingGapOfAllRenditionsLeavesWithTheMediaBeforeIt() throws {
        var channel = Channel(window: MediaTime(seconds: 40))
        try channel.publish()
        for _ in 0..<3 { try channel.publish(gaps: [Channel.video, Channel.audio]) }
        try channel.publish(count: 6)
        #expect(try channel.playlist().segments.count == 10)
        try channel.publish()
        #expect(try channel.playlist().mediaSequence.value == Channel.firstNumber + 4)
        #expect(try channel.playlist().segments.count == 7)
    }

    @Test func leadingGapsStayWhereTheMinimumNeedsThem() throws {
        var channel = Channel()
        try channel.publish()
        for _ in 0..<10 { try channel.publish(gaps: [Channel.video, Channel.audio]) }
        #expect(try channel.playlist().segments.map(\.isGap) == Array(repeating: true, count: 6))
        try channel.publish(count: 3)
        #expect(try channel.playlist().segments.map(\.isGap) == [true, true, true, false, false, false])
        try channel.publish(count: 3)
        #expect(try channel.playlist().segments.map(\.isGap) == Array(repeating: false, count: 6))
    }

    @Test func aLeadingGapOfOneRenditionLeavesWithTheMediaBeforeIt() throws {
        var channel = Channel(window: MediaTime(seconds: 40))
        try channel.publish()
        for _ in 0..<3 { try channel.publish(gaps: [Channel.audio]) }
        try channel.publish(count: 6)
        #expect(
            try channel.playlist(Channel.audio).segments.map(\.isGap).prefix(5) == [false, true, true, true, false]
        )
        try channel.publish()
        for id in [Channel.video, Channel.audio] {
            #expect(try channel.playlist(id).mediaSequence.value == Channel.firstNumber + 4)
            #expect(try channel.playlist(id).segments.map(\.isGap) == Array(repeating: false, count: 7))
        }
    }

    @Test func theWindowIsNotShortenedForWhatBeginsWithAGapAnyway() throws {
        var channel = Channel(window: MediaTime(seconds: 40))
        try channel.publish()
        for _ in 0..<20 { try channel.publish(gaps: [Channel.audio]) }
        #expect(try channel.playlist().segments.count == 10)
        // Three target durations of the other have to stay.
        try channel.publish(count: 2)
        #expect(try channel.playlist().segments.count == 10)
        #expect(try channel.playlist(Channel.audio).segments.first?.isGap == true)
        try channel.publish(count: 4)
        #expect(try channel.playlist(Channel.audio).segments.map(\.isGap) == Array(repeating: false, count: 6))
    }

    /// The time for which this thread has had a processor: a machine that is busy with others does not count.
    private static var used: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// A long outage in a window that is longer.
    @Test func missedSlotsCostWhatTheWindowDoesTogether() throws {
        func channel() -> Channel { Channel(window: MediaTime(seconds: 86_400)) }
        func gaps(_ numbers: Range<Int64>) -> [PublishedSlot] {
            numbers.map { number in
                let gap = PublishedSegment(
                    programDateTime: MediaTime(seconds: number * 4),
                    duration: SegmentDuration(value: 4, timescale: 1),
                    content: .gap
                )
                return PublishedSlot(
                    number: MediaSequenceNumber(number),
                    segments: [Channel.video: gap, Channel.audio: gap]
                )
            }
        }
        var channels = [channel(), channel()]
        for index in channels.indices { try channels[index].publish() }
        let first = Channel.firstNumber + 1
        try channels[0].presentation.publish(run: gaps(first..<first + 100), now: channels[0].now)
        for slot in gaps(first..<first + 100) { try channels[1].presentation.publish(slot, now: channels[1].now) }
        #expect(channels[0].text("audio-en.m3u8") == channels[1].text("audio-en.m3u8"))
        #expect(channels[0].presentation.saved == channels[1].presentation.saved)
        // One by one each of them costs as much as all together.
        let start = Self.used
        try channels[0].presentation.renderOnce {
            try channels[0].presentation.publish(run: gaps(first + 100..<first + 2_999), now: channels[0].now)
        }
        #expect(Self.used - start < .seconds(10))
        #expect(channels[0].presentation.saved.numbers.count == 3_000)
    }

    @Test func aNewKeyThatCoversOnlyAGapIsNotListed() throws {
        var channel = Channel()
        try channel.publish(keyPeriod: 1)
        try channel.publish(gaps: [Channel.audio], keyPeriod: 2)
        #expect(try channel.playlist(Channel.audio).segments.map(\.keys.first?.uri) == ["keys/1", "keys/1"])
        #expect(
            try channel.playlist(Channel.audio).segments.map(\.map?.uri) == [
                "audio-en/init-1.mp4", "audio-en/init-1.mp4",
            ]
        )
        #expect(channel.resource("audio-en/init-2.mp4") == .notFound(.unknown))
        #expect(try channel.playlist().segments.map(\.keys.first?.uri) == ["keys/1", "keys/2"])
    }
}

extension MediaPlaylist {
    /// The discontinuity sequence number of every segment.
    fileprivate var discontinuitySequences: [Int] {
        var count = discontinuitySequence
        return segments.map { segment in
            if segment.startsDiscontinuity { count += 1 }
            return count
        }
    }

    fileprivate var duration: MediaTime {
        segments.reduce(.zero) { $0 + $1.duration.time }
    }
}
