import Dispatch
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Recording

/// The lines of a block in memory are those of one that is rendered at once, and are rendered once, for those who read
/// them.
@Suite(.timeLimit(.minutes(5))) struct LiveBlockTests {
    private static let video = RecordedChannel.video
    private static let audio = RecordedChannel.audio
    /// The last of them is in no slot.
    private static let playlists: [RenditionID] = [video, audio, video.iFrames, "text-en"]
    /// The first slot of a block.
    private static let first = RecordedChannel.first + 32
    private static let block = BlockNumber(of: MediaSequenceNumber(first))
    private static let style = LineStyle(segmentDuration: MediaTime(seconds: 4), keyAddresses: KeyAddresses())

    /// The slots of a block, with everything in them that lines can say; the audio is absent at first, and later once.
    private static func slots(seed: UInt64) throws -> (empty: BlockContents, slots: [StoredSlot]) {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), first: first)
        try RecordedLinesTests.publish(&channel, count: 256, seed: seed)
        let contents = try #require(try channel.recording.contents(of: block))
        var slots = contents.slots.values.sorted { $0.slot.number < $1.slot.number }
        #expect(slots.count == 256)
        for index in Array(0..<40) + Array(100..<110) where slots.indices.contains(index) {
            slots[index].slot.segments[audio] = nil
            slots[index].offsets[audio] = nil
        }
        return (BlockContents(block, head: contents.head), slots)
    }

    private static func put(_ stored: StoredSlot, into contents: inout BlockContents) {
        let record = IndexRecord.slot(SlotRecord(stored.slot, after: contents.newest), offsets: stored.offsets)
        let isTaken = contents.apply(record)
        #expect(isTaken)
    }

    /// The same block, of which nothing was rendered.
    private static func anew(_ block: LiveBlock) -> LiveBlock {
        LiveBlock(block.contents, style: style, isOver: block.isOver)
    }

    // MARK: The lines

    /// Property: however slots come, in their time or later, and whatever is read meanwhile.
    @Test(arguments: UInt64(1)...4) func theOrderOfSlotsLeavesNoTrace(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var (contents, slots) = try Self.slots(seed: seed)
        var live = LiveBlock(contents, style: Self.style, isOver: false)
        var (next, holes, reads) = (0, [Int](), 0)
        while next < slots.count || !holes.isEmpty {
            if next < slots.count, holes.isEmpty || Bool.random(using: &generator) {
                if next + 1 < slots.count, Int.random(in: 0..<3, using: &generator) == 0 {
                    holes.append(next)
                    next += 1
                }
                Self.put(slots[next], into: &contents)
                live.extend(contents)
                next += 1
                if next == slots.count { live.close() }
            } else {
                let index = holes.remove(at: Int.random(in: holes.indices, using: &generator))
                Self.put(slots[index], into: &contents)
                live.change(contents)
            }
            guard Int.random(in: 0..<6, using: &generator) == 0 else { continue }
            reads += 1
            let id = Self.playlists[Int.random(in: Self.playlists.indices, using: &generator)]
            let (lines, expected) = (live.lines(of: id), Self.anew(live).lines(of: id))
            #expect(lines.section == expected.section && lines.encoded == expected.encoded, "\(id) at \(next)")
        }
        #expect(reads > 10)
        // In the end it is the block whose slots all came in their time.
        var ordered = BlockContents(Self.block, head: contents.head)
        for stored in slots { Self.put(stored, into: &ordered) }
        let whole = LiveBlock(ordered, style: Self.style, isOver: true).wholeLines
        #expect(whole.map(\.section.id) == [Self.audio, Self.video, Self.video.iFrames])
        #expect(live.wholeLines.map(\.encoded) == whole.map(\.encoded))
    }

    /// A reader goes on with the block as it found it, whatever others render meanwhile.
    @Test func aCopyHasTheLinesOfItsOwnSlots() throws {
        var (contents, slots) = try Self.slots(seed: 5)
        for stored in slots[..<100] where stored != slots[50] { Self.put(stored, into: &contents) }
        var live = LiveBlock(contents, style: Self.style, isOver: false)
        let early = live
        for stored in slots[100..<200] { Self.put(stored, into: &contents) }
        live.extend(contents)
        let late = live
        for id in Self.playlists { _ = late.lines(of: id) }
        Self.put(slots[50], into: &contents)
        live.change(contents)
        for id in Self.playlists { _ = live.lines(of: id) }
        for (copy, count) in [(early, 100), (late, 200), (live, 200)] {
            let numbers = MediaSequenceNumber(Self.first)..<copy.end
            #expect(numbers.count == count)
            for id in Self.playlists {
                let (lines, expected) = (copy.lines(of: id), Self.anew(copy).lines(of: id))
                #expect(lines.lines(in: numbers)?.text == expected.text, "\(id) of \(count)")
                #expect(Array(lines.entries.prefix(count)) == expected.entries, "\(id) of \(count)")
            }
        }
        #expect(early.lines(of: Self.video)[slots[50].slot.number]?.flags == RenditionLines.Flags.gap)
        #expect(live.lines(of: Self.video)[slots[50].slot.number]?.flags.contains(.recorded) == true)
    }

    // MARK: The work

    @Test func nothingIsRenderedUntilSomebodyReads() throws {
        var generator = SeededGenerator(seed: 6)
        var (contents, slots) = try Self.slots(seed: 6)
        var live = LiveBlock(contents, style: Self.style, isOver: true)
        for stored in slots.shuffled(using: &generator) {
            Self.put(stored, into: &contents)
            live.change(contents)
            #expect(live.renderedCount == 0)
        }
        // The playlist that is asked for, and no other.
        for _ in 0..<3 { _ = live.lines(of: Self.audio) }
        #expect(live.renderedCount == 256)
        // However many ask at the same time.
        DispatchQueue.concurrentPerform(iterations: 8) { [live] index in
            if index < 4 { _ = live.plainLines } else { _ = live.lines(of: Self.video) }
        }
        #expect(live.renderedCount == 3 * 256)
        #expect(live.wholeLines.count == 3)
        #expect(live.renderedCount == 3 * 256)
    }

    @Test func aSlotAtTheEndIsRenderedBelowTheOthers() throws {
        var (contents, slots) = try Self.slots(seed: 7)
        var live = LiveBlock(contents, style: Self.style, isOver: false)
        for (index, stored) in slots.prefix(64).enumerated() {
            Self.put(stored, into: &contents)
            live.extend(contents)
            // Not each time.
            if index % 3 == 0 { #expect(live.lines(of: Self.video).entries.count == index + 1) }
            #expect(live.renderedCount == index / 3 * 3 + 1)
        }
        live.close()
        #expect(live.lines(of: Self.video).entries.count == 256)
        #expect(live.renderedCount == 256)
    }
}
