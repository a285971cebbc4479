import MediaCore
import Playlists
import TestSupport
import Testing

@testable import Presentation

/// Updates for players that have an older copy of a playlist (RFC 8216bis § 6.2.5.1).
@Suite struct DeltaPlaylistTests {
    /// A player's copy of a playlist.
    private struct Copy {
        var playlist: MediaPlaylist

        /// Applies an update as a player does (RFC 8216bis § 6.3.7).
        mutating func apply(_ delta: MediaPlaylist) throws {
            let skip = try #require(delta.skip)
            let start = Int(delta.mediaSequence.value - playlist.mediaSequence.value)
            let old = playlist.segments.dropFirst(start).prefix(skip.segmentCount)
            try #require(start >= 0 && old.count == skip.segmentCount, "the copy has all that is left out")
            var (whole, ranges) = (delta, playlist.allDateRanges)
            whole.skip = nil
            whole.segments = old.map(\.self) + delta.segments
            if let removed = skip.removedDateRanges {
                ranges.removeAll { removed.contains($0.id) }
                for range in delta.allDateRanges where !ranges.contains(range) { ranges.append(range) }
            } else {
                // All tags are there, whatever the segments that they stood at.
                ranges = delta.allDateRanges
            }
            // Where a range stands does not matter.
            for index in whole.segments.indices { whole.segments[index].dateRanges = [] }
            whole.dateRanges = ranges
            playlist = whole
        }
    }

    private static func plain(_ playlist: MediaPlaylist) -> (MediaPlaylist, Set<String>) {
        var plain = playlist
        for index in plain.segments.indices {
            plain.segments[index].dateRanges = []
            // The older copy has parts that the playlist lists no longer.
            plain.segments[index].parts = []
        }
        plain.dateRanges = []
        return (plain, Set(playlist.allDateRanges.map(\.id)))
    }

    private static func expectEqual(_ copy: Copy, _ full: MediaPlaylist) {
        let (copy, full) = (plain(copy.playlist), plain(full))
        #expect(copy.0 == full.0)
        #expect(copy.1 == full.1)
    }

    /// A channel with keys, discontinuities, gaps and breaks that come and go.
    private struct RandomChannel {
        var channel = Channel.lowLatency(window: 80)
        private var generator: SeededGenerator
        private var period: Int64? = 0
        private var open: DateRange?

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        /// Publishes a part of each rendition, or the slot that is over.
        mutating func publishSlot(afterEachPart look: (Channel) throws -> Void) throws {
            if Int.random(in: 0..<4, using: &generator) == 0 {
                period = Int.random(in: 0..<4, using: &generator) == 0 ? nil : (period ?? 0) + 1
            }
            let isDiscontinuity = Int.random(in: 0..<8, using: &generator) == 0
            for index in 0..<Channel.partCount {
                try channel.tell(parts: index..<index + 1, startsDiscontinuity: isDiscontinuity, keyPeriod: period)
                try look(channel)
            }
            let isGap = channel.presentation.lastNumber != nil && Int.random(in: 0..<10, using: &generator) == 0
            try channel.publish(
                gaps: isGap ? [Channel.audio] : [],
                startsDiscontinuity: isDiscontinuity,
                keyPeriod: period,
                picture: 0..<100,
                dateRanges: ranges()
            )
            try look(channel)
        }

        private mutating func ranges() -> DateRangeLines {
            guard Int.random(in: 0..<3, using: &generator) == 0 else { return DateRangeLines() }
            let start = MediaTime(seconds: channel.nextNumber * 4)
            if let last = open, let begin = last.start {
                open = nil
                return DateRangeLines(above: [DateRange(id: last.id, start: begin, duration: start - begin)])
            }
            let range = DateRange(id: "\(channel.nextNumber)", start: start)
            open = range
            return DateRangeLines(below: [range])
        }
    }

    @Test(arguments: SkipDirective.allCases, 1...4 as ClosedRange<UInt64>)
    func anOlderCopyWithTheUpdateIsTheWhole(skip: SkipDirective, seed: UInt64) throws {
        var random = RandomChannel(seed: seed)
        var generator = SeededGenerator(seed: seed &+ 100)
        var copies: [RenditionID: Copy] = [:]
        var applied = 0
        for _ in 0..<60 {
            try random.publishSlot { channel in
                for id in [Channel.video, Channel.audio, Channel.video.iFrames] {
                    guard let full = try? channel.playlist(id) else { continue }
                    // A player asks for an update only while its copy is young (RFC 8216bis § 6.2.5.1).
                    guard var copy = copies[id], let delta = channel.delta(skip, of: id) else {
                        copies[id] = Copy(playlist: full)
                        continue
                    }
                    let isOld = copy.playlist.mediaSequence.value + 5 < full.mediaSequence.value
                    guard isOld || Int.random(in: 0..<4, using: &generator) == 0 else { continue }
                    let update = try MediaPlaylist(parsing: delta)
                    let kept = full.segments.suffix(update.segments.count)
                    #expect(update.segments.map(\.parts) == kept.map(\.parts))
                    try copy.apply(update)
                    Self.expectEqual(copy, full)
                    #expect(delta.contains("#EXT-X-VERSION:\(skip == .yes ? 9 : 10)\n"))
                    copies[id] = copy
                    applied += 1
                }
            }
        }
        #expect(applied > 50)
    }

    @Test func aShortWindowHasNothingToLeaveOut() throws {
        var channel = Channel.lowLatency(window: 36)
        try channel.tellAndPublish(count: 20)
        #expect(try channel.playlist().segments.count == 9)
        #expect(SkipDirective.allCases.allSatisfy { channel.delta($0) == nil })
        var longer = Channel.lowLatency(window: 40)
        try longer.tellAndPublish(count: 20)
        #expect(try MediaPlaylist(parsing: #require(longer.delta())).skip == MediaPlaylist.Skip(segmentCount: 1))
    }

    @Test func anEndedOrClassicPlaylistHasNoUpdates() throws {
        var channel = Channel.lowLatency(window: 80)
        try channel.tellAndPublish(count: 20)
        #expect(channel.delta() != nil)
        channel.presentation.end(now: channel.now)
        #expect(channel.delta() == nil)
        var classic = Channel(window: MediaTime(seconds: 80))
        try classic.publish(count: 20)
        #expect(classic.delta() == nil)
    }

    @Test func aRangeThatIsGoneIsNamedForSixTargetDurations() throws {
        var channel = Channel.lowLatency(window: 80)
        let range = DateRange(
            id: "ad",
            start: MediaTime(seconds: channel.nextNumber * 4),
            duration: MediaTime(seconds: 4)
        )
        try channel.publish(dateRanges: DateRangeLines(above: [range]))
        try channel.tellAndPublish(count: 19)
        var named: [Bool] = []
        for _ in 0..<20 {
            let update = try MediaPlaylist(parsing: #require(channel.delta(.v2)))
            #expect(update.allDateRanges.isEmpty, "it is old")
            let isListed = try channel.playlist().allDateRanges == [range]
            let ids = try #require(update.skip?.removedDateRanges)
            #expect(ids.isEmpty || ids == ["ad"])
            named.append(ids == ["ad"])
            #expect(!(isListed && ids == ["ad"]))
            try channel.tellAndPublish()
        }
        // 36 s, and the slot at whose end the last of them is.
        #expect(named.count(where: \.self) == 10)
    }

    /// What left before is not known.
    @Test func aWindowThatIsTakenOverLeavesDateRangesInUpdatesAtFirst() throws {
        var channel = Channel.lowLatency(window: 80)
        try channel.tellAndPublish(count: 20)
        var successor = Channel.lowLatency(window: 80)
        successor.presentation.restore(channel.presentation.restorable, now: channel.now)
        #expect(successor.delta(.yes) != nil)
        #expect(successor.delta(.v2) == nil)
        successor = Channel(successor.presentation, next: channel.nextNumber)
        for index in 0..<9 {
            #expect(successor.delta(.v2) == nil, "\(index)")
            try successor.tellAndPublish()
        }
        #expect(successor.delta(.v2) != nil)
    }
}
