import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

/// The date ranges of playlists, while their slots come and go.
@Suite struct PresentationDateRangeTests {
    /// The time by which a range may end before the first segment and still be listed.
    private static let halfFrame = MediaTime(milliseconds: 21)

    /// Breaks of some slots each, told with the slot before them.
    private struct Breaks {
        private(set) var told: [DateRange] = []
        private var open: DateRange?
        private var generator: SeededGenerator

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func add(to slot: inout PublishedSlot) {
            guard Int.random(in: 0..<5, using: &generator) == 0 else { return }
            let edge = MediaTime(seconds: (slot.number.value + 1) * 4)
            var tag = DateRange(id: "\(slot.number)", start: edge)
            tag.spliceOut = [0xFC]
            if let open, let start = open.start {
                tag = DateRange(id: open.id, start: start, duration: edge - start)
                tag.spliceIn = [0xFC, 0x00]
                self.open = nil
            } else {
                open = tag
            }
            told.append(tag)
            slot.dateRanges.cue = BreakCue(endsBreak: tag.spliceIn != nil, out: .init(elapsed: .zero))
            var plan = SplicePlan()
            plan.boundaries = [edge]
            plan.currentBreak = tag.id
            plan.splices = [.init(name: tag.id, input: "input-1", section: [0xFC, 1], start: edge, heard: edge)]
            plan.splices[0].end = SplicePlan.End(time: edge, heard: edge, section: tag.spliceIn, isAssumed: open == nil)
            (plan.splices[0].announcedStart, plan.splices[0].isOver) = (open == nil ? edge : nil, open == nil)
            plan.posted = [tag.id]
            slot.splicePlan = plan
            if Bool.random(using: &generator) {
                slot.dateRanges.above.append(tag)
            } else {
                slot.dateRanges.below.append(tag)
            }
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func aRangeIsListedForAsLongAsItLasts(seed: UInt64) throws {
        var feed = RandomFeed(seed: seed)
        var breaks = Breaks(seed: seed)
        let presentation = feed.makePresentation()
        for _ in 0..<120 {
            let before = presentation.saved
            var slot = feed.nextSlot()
            breaks.add(to: &slot)
            try presentation.publish(slot, now: feed.now)
            let window = presentation.saved
            #expect(try JSONDecoder().decode(SavedWindow.self, from: JSONEncoder().encode(window)) == window)
            if let change = window.change(since: before) {
                let read = try JSONDecoder().decode(SavedWindow.Change.self, from: JSONEncoder().encode(change))
                var again = before
                try again.apply(read)
                #expect(again == window)
            }
            let playlists = try [Channel.video, Channel.audio].compactMap { id in
                try presentation.resource("\(id).m3u8", now: feed.now).resource?.body.memory.map { bytes in
                    try MediaPlaylist(parsing: String(buffer: bytes))
                }
            }
            guard let start = playlists.compactMap(\.segments.first?.programDateTime).min() else { continue }
            for playlist in playlists {
                let wanted = breaks.told.reaching(start - Self.halfFrame)
                #expect(playlist.allDateRanges == wanted, "\(seed) \(slot.number)")
            }
        }
        #expect(breaks.told.count > 10)
    }

    /// A break ends with a segment, at the millisecond that this is dated: until that has gone some date of the range is that
    /// of a segment, whichever way either was rounded.
    @Test(arguments: [0, 1, 20, 44, 45, 89] as [Int64])
    func aRangeThatEndsWithTheFirstSegmentIsListed(ticks: Int64) throws {
        let channel = Channel(first: 0, renditions: [.video])
        func start(of number: Int64) -> MediaTime { MediaTime(ticks: number * 360_000 + ticks) }
        var checked: Set<Bool> = []
        for number in 0..<12 as Range<Int64> {
            let segment = PublishedSegment(
                programDateTime: start(of: number),
                duration: SegmentDuration(value: 4, timescale: 1),
                content: .media(.numbered(number, count: 100))
            )
            var slot = PublishedSlot(number: MediaSequenceNumber(number), segments: [Channel.video: segment])
            if number == 1 {
                let (begin, end) = (start(of: 1).milliseconds, start(of: 3).milliseconds)
                let length = MediaTime(milliseconds: end - begin)
                let range = DateRange(id: "break", start: MediaTime(milliseconds: begin), duration: length)
                slot.dateRanges.above = [range]
            }
            try channel.presentation.publish(slot, now: start(of: number + 1))
            let resource = channel.presentation.resource("\(Channel.video).m3u8", now: start(of: number + 1)).resource
            guard number >= 2, let text = resource?.body.memory.map({ String(buffer: $0) }) else { continue }
            let playlist = try MediaPlaylist(parsing: text)
            let isListed = playlist.mediaSequence <= MediaSequenceNumber(3)
            #expect(playlist.allDateRanges.map(\.id) == (isListed ? ["break"] : []), "\(playlist.mediaSequence)")
            checked.insert(isListed)
        }
        #expect(checked == [true, false])
    }

    /// They stand around their slot's segment, and above the first one when that has gone.
    @Test func dateRangesStandAroundTheirSegment() throws {
        var channel = Channel(first: 0, window: MediaTime(seconds: 24))
        for number in 0..<16 {
            var ranges = DateRangeLines()
            if number == 2 {
                ranges.above = [DateRange(id: "a", start: .zero)]
                ranges.below = [DateRange(id: "b", start: .zero)]
            }
            try channel.publish(dateRanges: ranges)
            guard number >= 2 else { continue }
            let playlist = try channel.playlist()
            let places = (playlist.segments.map(\.dateRanges) + [playlist.dateRanges]).map { $0.map(\.id).joined() }
            let head = Int(playlist.mediaSequence.value)
            var expected = [String](repeating: "", count: places.count)
            expected[max(2 - head, 0)] += "a"
            expected[max(3 - head, 0)] += "b"
            #expect(places == expected)
        }
    }
}
