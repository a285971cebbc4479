import Files
import Foundation
import Glibc
import MediaCore
import NIOCore
import Playlists
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Presentation

/// Parts of the newest slots: a process that is killed leaves them to the next one.
@Suite struct JournalledPartsTests {
    private static let renditions = [Feed.video, Feed.audio]
    private static let count = 4
    private let events = Events()

    private func open(
        _ disk: MemoryFileSystem,
        media: (any MediaStore)? = nil
    ) throws -> (journal: Journal, restored: RestoredWindow?) {
        try disk.openJournal(media: media, capacity: 20_000, onEvent: events.append)
    }

    private func makeFeed(_ journal: Journal?, restored: RestoredWindow? = nil) -> Feed {
        Feed(journal, restored: restored, partTarget: MediaTime(seconds: 1), padding: 40)
    }

    /// Makes a part of the slot that is published next: a quarter of the bytes of its segment.
    private static func part(_ feed: Feed, _ index: Int, of id: RenditionID, isGap: Bool = false) -> PublishedPart {
        let number = feed.number
        let segment = ByteBuffer(string: "\(id) \(number)" + String(repeating: ".", count: 40))
        let size = segment.readableBytes
        let (begin, end) = (size * index / count, size * (index + 1) / count)
        let period = number / 3
        let key = EncryptionKey(
            method: .sampleAES,
            uri: "keys/\(period)",
            initializationVector: Bytes16(high: 0, low: UInt64(period))
        )
        let name = "init-\(period).mp4"
        let section = PublishedSegment.InitializationSection(
            name: name,
            bytes: ByteBuffer(string: "\(id) \(name)"),
            keys: [key]
        )
        return PublishedPart(
            number: MediaSequenceNumber(number),
            index: index,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: index == 0,
            content: isGap ? .gap : segment.getSlice(at: begin, length: end - begin).map { .media($0) } ?? .gap,
            opening: index > 0
                ? nil
                : PublishedPart.Opening(
                    programDateTime: Feed.time(number),
                    startsDiscontinuity: false,
                    initialization: section,
                    keys: [key]
                )
        )
    }

    private static func tell(_ feed: Feed, _ indices: Range<Int>, of ids: [RenditionID] = renditions) throws {
        for index in indices {
            for id in ids { try feed.presentation.publish(part(feed, index, of: id), of: id) }
        }
        feed.presentation.finish()
    }

    private static func publish(_ feed: inout Feed, gaps: [RenditionID] = []) throws {
        try feed.publish(gaps: gaps)
        feed.presentation.finish()
    }

    /// Every call to the operating system may be the last one, and half made.
    @Test func aKilledProcessLosesNoPartThatWasWritten() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        disk.state.withLock { $0.history = [] }
        for _ in 0..<7 {
            var told = feed.presentation.restorable.parts
            let known = told.all.count
            for index in 0..<Self.count {
                for id in Self.renditions {
                    try Self.tell(feed, index..<index + 1, of: [id])
                    let next = feed.presentation.restorable.parts
                    for files in disk.takeHistory() {
                        let restored = try #require(try open(MemoryFileSystem(files)).restored)
                        #expect(restored.parts == told || restored.parts == next)
                        let successor = makeFeed(nil, restored: restored)
                        #expect(successor.presentation.restorable.parts == restored.parts)
                    }
                    told = next
                }
            }
            #expect(told.all.count == known + Self.count * Self.renditions.count)
            let before = feed.presentation.saved
            try Self.publish(&feed)
            let whole = feed.presentation.restorable.parts
            #expect(whole.all.count >= told.all.count - Self.count * Self.renditions.count)
            #expect(whole.all.suffix(1).first?.number == feed.presentation.saved.lastNumber)
            for files in disk.takeHistory() {
                let restored = try #require(try open(MemoryFileSystem(files)).restored)
                let isOver = restored.window == feed.presentation.saved
                #expect(isOver || restored.window == before)
                #expect(restored.parts == (isOver ? whole : told))
                #expect(restored.window.files.allSatisfy { restored.bodies[$0.path] != nil })
            }
        }
        #expect(events.texts.isEmpty)
    }

    /// Killed in the midst of a slot, and again in the midst of the same one.
    @Test func theNextProcessContinuesTheSlot() throws {
        let disk = MemoryFileSystem()
        var first = makeFeed(try open(disk).journal)
        try Self.publish(&first)
        try Self.tell(first, 0..<2)
        let (journal, restored) = try open(disk)
        var second = makeFeed(journal, restored: restored)
        second.presentation.finish()
        #expect(second.presentation.restorable.parts == first.presentation.restorable.parts)
        #expect(journal.statistics.writtenParts == 0, "what is there is not written again")
        for id in Self.renditions {
            try second.presentation.publish(Self.part(second, 2, of: id, isGap: true), of: id)
        }
        second.presentation.finish()
        #expect(journal.statistics.writtenParts == 2)
        let third = try #require(try open(disk).restored)
        #expect(third.parts == second.presentation.restorable.parts && third.parts.all.count == 6)
        try Self.publish(&second, gaps: Self.renditions)
        let fourth = try #require(try open(disk).restored)
        #expect(fourth.parts.isEmpty && fourth.window == second.presentation.saved)
        let named = fourth.window.files.map { "state/live/media/\($0.path)" }
        #expect(Set(disk.files.keys) == Set(named + ["state/live/journal-0", "state/live/journal-1"]))
        #expect(events.texts.isEmpty)
    }

    /// They are nowhere else until then.
    @Test func whereSegmentsAreKeptElsewherePartsStayUntilTheirSlotIsOver() throws {
        let disk = MemoryFileSystem()
        let own = { disk.files.keys.filter { $0.hasPrefix("state/live/media/") && $0.hasSuffix(".m4s") } }
        var first = makeFeed(try open(disk, media: DiskMedia(disk)).journal)
        try Self.publish(&first)
        try Self.tell(first, 0..<2)
        #expect(own().count == 2)
        let (journal, restored) = try open(disk, media: DiskMedia(disk))
        var second = makeFeed(journal, restored: restored)
        second.presentation.finish()
        #expect(second.presentation.restorable.parts == first.presentation.restorable.parts)
        try Self.tell(second, 2..<Self.count)
        try Self.publish(&second)
        #expect(own().isEmpty)
        let third = try #require(try open(disk, media: DiskMedia(disk)).restored)
        #expect(third.window == second.presentation.saved)
        #expect(third.parts == second.presentation.restorable.parts && !third.parts.isEmpty)
        #expect(events.texts.isEmpty)
    }

    /// Parts are listed for three target durations, and served for three more (RFC 8216bis § 6.2.2).
    @Test func partsOfSlotsThatAreOverAreListedAndServedOn() throws {
        let disk = MemoryFileSystem()
        var first = makeFeed(try open(disk).journal)
        try Self.publish(&first)
        for _ in 0..<4 {
            try Self.tell(first, 0..<Self.count)
            try Self.publish(&first)
        }
        try Self.tell(first, 0..<1)
        var before = first
        // The next process may be ended as well before there is another line.
        for _ in 0..<2 {
            let (journal, restored) = try open(disk)
            let next = makeFeed(journal, restored: restored)
            next.presentation.finish()
            for id in Self.renditions {
                let lines = [before, next].map { Self.partLines($0, id) }
                #expect(lines[0].count == 4 * Self.count + 1 && lines[0] == lines[1])
                for number in first.number - 4...first.number {
                    for index in 0..<(number == first.number ? 1 : Self.count) {
                        let path = "\(id)/\(number).\(index).m4s"
                        let bodies = [before, next].map { Self.body(path, $0) }
                        #expect(bodies[0] != nil && bodies[0] == bodies[1], "\(path)")
                    }
                }
            }
            before = next
        }
        #expect(events.texts.isEmpty)
    }

    private static func partLines(_ feed: Feed, _ id: RenditionID) -> [Substring] {
        guard case .found(let playlist) = feed.presentation.resource("\(id).m3u8", now: feed.now) else { return [] }
        return String(buffer: playlist.body.memory ?? ByteBuffer()).split(separator: "\n")
            .filter { $0.hasPrefix("#EXT-X-PART:") }
    }

    private static func body(_ path: String, _ feed: Feed) -> ByteBuffer? {
        guard case .found(let part) = feed.presentation.resource(path, now: feed.now) else { return nil }
        return part.body.memory
    }

    /// A part that could not be written is missing for good.
    @Test func aSlotThatLacksAPartIsListedWithoutParts() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        try Self.tell(feed, 0..<Self.count)
        try Self.publish(&feed)
        try Self.tell(feed, 0..<2)
        disk.state.withLock { $0.failure = EIO }
        try Self.tell(feed, 2..<Self.count)
        disk.state.withLock { $0.failure = nil }
        try Self.publish(&feed)
        let restored = try #require(try open(disk).restored)
        #expect(restored.parts.all.map(\.number.value) == Array(repeating: feed.number - 2, count: 8))
    }

    /// The first version with parts kept those of slots that were not over, with a line of the journal for each.
    @Test func aJournalOfTheFirstVersionWithPartsIsRead() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        let part = #"{"rendition":"video-1080p","number":1001,"index":0,"duration":1,"timescale":1,"independent":true}"#
        let header = JournalHeader(generation: 7, configuration: ["clock": "pts"], window: feed.presentation.saved)
        var json = String(decoding: try JSONEncoder().encode(header), as: UTF8.self)
        let end = json.removeLast()
        #expect(end == "}")
        json += #","open":[\#(part)]}"#
        let found = try JSONDecoder().decode(JournalHeader.self, from: Data(json.utf8))
        #expect(found.parts?.all.map(\.number.value) == [1001])
        #expect(found.parts?.all.map(\.isLast) == [false])
    }

    /// A channel that has got a journal only now, and the window otherwise.
    @Test func partsThatCameWithoutTheJournalAreWritten() throws {
        var first = makeFeed(nil)
        try Self.publish(&first)
        try Self.tell(first, 0..<2)
        let disk = MemoryFileSystem()
        let second = makeFeed(try open(disk).journal, restored: first.presentation.restorable)
        try Self.tell(second, 2..<3)
        let restored = try #require(try open(disk).restored)
        #expect(restored.parts == second.presentation.restorable.parts && restored.parts.all.count == 6)
        #expect(events.texts.isEmpty)
    }

    /// An upgrade: the next process brings the rest of the slot.
    @Test func theSegmentIsWholeWhoeverBroughtItsParts() throws {
        let disk = MemoryFileSystem()
        var first = makeFeed(try open(disk).journal)
        try Self.publish(&first)
        try Self.tell(first, 0..<2)
        let (journal, restored) = try open(disk)
        var second = makeFeed(journal, restored: restored)
        try Self.tell(second, 2..<Self.count)
        try Self.publish(&second)
        let third = try #require(try open(disk).restored)
        #expect(third.window == second.presentation.saved && third.bodies.count == third.window.files.count)
    }

    /// A tag that was late for the first process may be in another part of the second.
    @Test func aSegmentThatDiffersFromInheritedPartsIsWrittenWhole() throws {
        let disk = MemoryFileSystem()
        var first = makeFeed(try open(disk).journal)
        try Self.publish(&first)
        for id in Self.renditions {
            var part = Self.part(first, 0, of: id)
            part.content = .media(ByteBuffer(string: "with a tag"))
            try first.presentation.publish(part, of: id)
        }
        first.presentation.finish()
        let (journal, restored) = try open(disk)
        var second = makeFeed(journal, restored: restored)
        try Self.publish(&second)
        let third = try #require(try open(disk).restored)
        #expect(third.window == second.presentation.saved)
        for file in third.window.files {
            guard case .found(let resource) = second.presentation.resource(file.path, now: second.now) else {
                Issue.record("\(file.path) is not served")
                continue
            }
            #expect(resource.body.memory != nil && third.bodies[file.path] == resource.body.memory)
        }
    }

    @Test func aSegmentWhosePartsAreThereIsNotWrittenAgain() throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk).journal
        var feed = makeFeed(journal)
        try Self.publish(&feed)
        let paths = Self.renditions.map { "state/live/media/\($0)/\(feed.number).m4s" }
        try Self.tell(feed, 0..<Self.count)
        let before = disk.files
        disk.state.withLock { $0.history = [] }
        try Self.publish(&feed)
        let changes = disk.takeHistory()
        #expect(!changes.isEmpty && changes.allSatisfy { files in paths.allSatisfy { files[$0] == before[$0] } })
        #expect(journal.statistics.writtenParts == 8)
        journal.finish()
        let synchronized = disk.state.withLock { $0.synchronized }
        #expect(synchronized.isSuperset(of: paths), "a slot withstands a power cut")
    }

    /// The bytes of a slot that is told in half bring the other half.
    @Test func theRestOfASegmentIsWritten() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        try Self.tell(feed, 0..<2)
        try Self.publish(&feed)
        let restored = try #require(try open(disk).restored)
        #expect(restored.window == feed.presentation.saved && restored.bodies.count == restored.window.files.count)
    }

    /// Playlists list its parts, and viewers who have these ask for their bytes.
    @Test(arguments: [false, true]) func theBytesOfASlotThatBecameAGapAreThereAgain(isKeptElsewhere: Bool) throws {
        let disk = MemoryFileSystem()
        let media: (any MediaStore)? = isKeptElsewhere ? DiskMedia(disk) : nil
        var first = makeFeed(try open(disk, media: media).journal)
        try Self.publish(&first)
        try Self.tell(first, 0..<2)
        for index in 2..<Self.count {
            for id in Self.renditions {
                try first.presentation.publish(Self.part(first, index, of: id, isGap: true), of: id)
            }
        }
        first.presentation.finish()
        let number = first.number
        try Self.publish(&first, gaps: Self.renditions)
        var before = first
        // The next process may be ended as well before there is another line.
        for _ in 0..<2 {
            let (journal, restored) = try open(disk, media: media)
            let next = makeFeed(journal, restored: restored)
            next.presentation.finish()
            for id in Self.renditions {
                let lines = [before, next].map { Self.partLines($0, id) }
                #expect(lines[0].count == Self.count && lines[0] == lines[1])
                for index in 0..<2 {
                    let path = "\(id)/\(number).\(index).m4s"
                    let bodies = [before, next].map { Self.body(path, $0) }
                    #expect(bodies[0] != nil && bodies[0] == bodies[1], "\(path)")
                }
            }
            before = next
        }
        let files = Self.renditions.map { "state/live/media/\($0)/\(number).m4s" }
        #expect(files.allSatisfy { disk.files[$0] != nil })
        // Until no line names the slot.
        for _ in 0..<10 { try Self.publish(&before) }
        #expect(files.allSatisfy { disk.files[$0] == nil })
        #expect(events.texts.isEmpty)
    }

    /// No other process can list it with its parts.
    @Test func aGapThatLacksPartsLeavesNothingBehind() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        try Self.tell(feed, 0..<2)
        try Self.publish(&feed, gaps: [Feed.video])
        let named = feed.presentation.saved.files.map { "state/live/media/\($0.path)" }
        #expect(Set(disk.files.keys) == Set(named + ["state/live/journal-0", "state/live/journal-1"]))
    }

    /// Without a part, those after it are of no use; the slot is kept all the same.
    @Test func aPartThatCannotBeWrittenCostsTheRestOfItsSlotAlone() throws {
        let disk = MemoryFileSystem()
        let journal = try open(disk).journal
        var feed = makeFeed(journal)
        try Self.publish(&feed)
        try Self.tell(feed, 0..<1)
        disk.state.withLock { $0.failure = EIO }
        try Self.tell(feed, 1..<2)
        disk.state.withLock { $0.failure = nil }
        try Self.tell(feed, 2..<Self.count)
        #expect(journal.statistics.writtenParts == 2 && journal.statistics.lostParts == 6)
        #expect(!journal.health.isHealthy)
        #expect(try open(MemoryFileSystem(disk.files)).restored?.parts.all.map(\.index) == [0, 0])
        try Self.publish(&feed)
        let restored = try #require(try open(MemoryFileSystem(disk.files)).restored)
        #expect(restored.window == feed.presentation.saved && restored.bodies.count == restored.window.files.count)
        try Self.tell(feed, 0..<Self.count)
        #expect(journal.health.isHealthy)
        #expect(journal.statistics.writtenParts == 10)
        let (last, next) = (feed.presentation.lastNumber, try open(MemoryFileSystem(disk.files)).restored)
        #expect(next?.parts.all(after: last) == feed.presentation.restorable.parts.all(after: last))
    }

    /// Lines of parts fill the file sooner: the next one begins with the parts that are there.
    @Test func aFileThatIsFullInTheMidstOfASlotIsFollowedByOneWithItsParts() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        for _ in 0..<40 {
            for index in 0..<Self.count {
                try Self.tell(feed, index..<index + 1)
                let restored = try #require(try open(MemoryFileSystem(disk.files)).restored)
                #expect(restored.parts == feed.presentation.restorable.parts)
            }
            try Self.publish(&feed)
        }
        let newest = try [0, 1].compactMap { try disk.read("state/live/journal-\($0)", limit: 1 << 30) }
            .compactMap { try? JournalContents(reading: $0) }.map(\.generation).max()
        #expect((3..<40).contains(newest ?? 0))
    }

    @Test func aLineThatDoesNotFollowEndsTheJournal() throws {
        let disk = MemoryFileSystem()
        var feed = makeFeed(try open(disk).journal)
        try Self.publish(&feed)
        let window = feed.presentation.saved
        var text = JournalText()
        var file = try text.line(JournalHeader(generation: 7, configuration: ["clock": "pts"], window: window))
        for index in [0, 1, 3, 2] {
            let part = SavedPart(Self.part(feed, index, of: Feed.video), of: Feed.video)
            file.writeImmutableBuffer(try text.line(JournalRecord.part(part)))
        }
        let contents = try JournalContents(reading: file)
        #expect(contents.parts.all.map(\.index) == [0, 1] && contents.window == window)
    }
}
