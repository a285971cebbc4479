import MediaCore
import NIOCore
import Playlists
import TestSupport
import Testing

@testable import Presentation

/// The sums that a window counts as slots come and go equal those over all of them.
@Suite struct WindowSumsTests {
    private typealias State = Presentation.State

    private static func state(_ window: MediaTime, maximumBytes: Int) -> State {
        State(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: window,
                maximumBytes: maximumBytes
            )
        )
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func sumsFollowEveryChange(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var feed = RandomFeed(seed: seed)
        let maximumBytes = seed.isMultiple(of: 3) ? 20_000 : 1 << 30
        var state = Self.state(feed.window, maximumBytes: maximumBytes)
        var renditions: [RenditionDescription] = [.video, .audio]
        state.declare(renditions)
        for _ in 0..<300 {
            var slot = feed.nextSlot()
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: renditions = [.video]
            case 1: renditions = [.video, .audio]
            case 2: slot.followsLeap = true
            case 3: _ = state.beginAnew(now: feed.now)
            case 4: state.dropExpired(now: feed.now + MediaTime(seconds: Int64.random(in: 0...90, using: &generator)))
            case 5:
                let window = state.saved
                let bodies = Dictionary(uniqueKeysWithValues: window.files.map { ($0.path, ByteBuffer()) })
                state = Self.state(feed.window, maximumBytes: maximumBytes)
                var restored = RestoredWindow(window: window, bodies: [:])
                // Some bytes are lost.
                restored.bodies = bodies.filter { _ in Int.random(in: 0..<40, using: &generator) > 0 }
                _ = state.restore(restored, now: feed.now)
            case 6:
                // One slot is missing, or many.
                for _ in 0..<Int.random(in: 1...30, using: &generator) { slot = feed.nextSlot() }
                if let gaps = state.gapSlots(before: slot.number) {
                    if !gaps.isEmpty { _ = try state.commit(try state.prepare(gaps), now: feed.now) }
                } else {
                    _ = state.beginAnew(now: feed.now)
                }
            default: break
            }
            state.declare(renditions)
            for id in slot.segments.keys where !renditions.contains(where: { $0.id == id }) { slot.segments[id] = nil }
            _ = try state.commit(try state.prepare([slot]), now: feed.now)
            check(state)
        }
    }

    private func check(_ state: State) {
        let window = state.window
        var sums = WindowSums()
        for slot in window.slots { sums.add(slot) }
        #expect(window.sums == sums)
        #expect(window.sums.duration == window.slots.reduce(MediaTime.zero) { $0 + $1.duration })
        #expect(window.sums.byteCount == window.slots.reduce(0) { $0 + $1.byteCount })
        for id in RandomFeed.renditions {
            #expect(window.sums[id].listedMedia == window.slots.count { $0.segments[id]?.line.isGap == false })
            let start = window.slots.lastIndex { $0.segments[id] == nil }.map { $0 + 1 } ?? 0
            let playlist = window.playlist(of: id, targetDuration: 6, isEnded: false)
            #expect(playlist.map { Array($0.slots) } ?? [] == Array(window.slots[start...]))
            let before = window.slots[..<start].count(where: \.startsDiscontinuity)
            #expect(playlist.map { $0.frame.discontinuitySequence == window.discontinuitySequence + before } ?? true)
        }
        guard let last = window.last else { return }
        let needed = (Array(window.slots) + state.retained.map(\.slot)).flatMap {
            $0.segments.values.map(\.mediaNumber)
        }
        #expect(state.slotsWithKeys == Set(needed + [last.number]))
    }
}

/// The longest playlist that has listed a slot, noted once for all of them.
@Suite struct ListedSlotsTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func slotsKeepTheirLongestListing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var slots = ListedSlots()
        var expected: [ListedSlot] = []
        for number in Int64(100)..<1100 {
            var slot = ListedSlot(number: MediaSequenceNumber(number), startsDiscontinuity: false)
            // One that a peer has listed.
            slot.longestListing = MediaTime(seconds: Int64.random(in: 0...3, using: &generator) * 20)
            slots.append(slot)
            expected.append(slot)
            let removed = min(
                slots.count,
                Int.random(in: 0...3, using: &generator) * Int.random(in: 0...1, using: &generator)
            )
            slots.removeFirst(removed)
            expected.removeFirst(removed)
            let duration = MediaTime(seconds: Int64.random(in: 0...100, using: &generator))
            slots.noteListing(of: duration)
            for index in expected.indices {
                expected[index].longestListing = max(expected[index].longestListing, duration)
            }
            #expect(Array(slots) == expected)
        }
    }

    @Test func aCopyStaysAsItWas() {
        var queue = ChunkedQueue<Int>()
        for number in 0..<200 { queue.append(number) }
        let copy = queue
        queue.removeFirst(100)
        for number in 200..<300 { queue.append(number) }
        #expect(Array(copy) == Array(0..<200))
        #expect(Array(queue) == Array(100..<300))
        queue.removeFirst(200)
        queue.append(7)
        #expect(Array(queue) == [7])
    }
}
