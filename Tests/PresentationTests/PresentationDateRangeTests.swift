import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

/// What playlists say of date ranges, while the slots that they were told with come and go.
@Suite struct PresentationDateRangeTests {
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
            (plan.splices[0].told, plan.splices[0].isOver) = (open == nil ? edge : nil, open == nil)
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
                #expect(playlist.allDateRanges == breaks.told.reaching(start), "\(seed) \(slot.number)")
            }
        }
        #expect(breaks.told.count > 10)
    }

    /// They stand around their slot's segment, and above the first one when that has gone.
    @Test func whereTagsStand() throws {
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
