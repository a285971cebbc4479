import Dispatch
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// Parts of renditions while a disk stands still: nobody waits for it but the slot that is to be kept there.
@Suite(.timeLimit(.minutes(5))) struct PartsBesideADiskTests {
    /// Has the parts that were told.
    private final class Parts: PublicationConsumer {
        let name = "parts"
        let policy = ConsumerPolicy.observes
        let interest = Publication.Kinds.part
        private let parts = Mutex<[PlaylistPosition]>([])
        var all: [PlaylistPosition] { parts.withLock { $0 } }

        func take(_ batch: [Publication]) -> ConsumerResult {
            for case .part(let part) in batch { parts.withLock { $0.append(part.part.position) } }
            return .done
        }
    }

    private static func part(_ number: Int64, _ index: Int) -> PublishedPart {
        PublishedPart(
            number: MediaSequenceNumber(number),
            index: index,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: index == 0,
            content: .media(ByteBuffer(string: "part"))
        )
    }

    @Test func aPartWaitsForNeitherTheJournalNorFilesNorAnotherRendition() async throws {
        let gate = Gate()
        let disk = MemoryFileSystem { gate.pass() }
        let journal = PatientJournal(try disk.openJournal { _ in }.journal, besides: .part)
        let parts = Parts()
        let mirror = try DirectoryMirror(directory: "out", waits: false, fileSystem: disk) { _ in }
        var feed = Feed(nil, partTarget: MediaTime(seconds: 1), consumers: [journal, mirror, parts])
        try feed.publish(gaps: [])
        feed.presentation.finish()
        let presentation = feed.presentation
        let open = feed.number
        gate.close()
        let isPublished = Mutex(false)
        let slot = Mutex(feed)
        DispatchQueue.global().async {
            slot.withLock { try? $0.publish(gaps: []) }
            isPublished.withLock { $0 = true }
        }
        _ = try await eventually(within: 60, "the journal waits for the disk") { gate.waiting > 0 ? true : nil }
        // Now a slot holds the order of publications, and its thread waits for the disk.
        for id in [Feed.video, Feed.audio] {
            for index in 0..<3 {
                let part = Self.part(open, index)
                let answer = presentation.reload(id, at: part.position)
                guard case .waiting = answer else {
                    Issue.record("\(id) has it already, or never: \(answer)")
                    continue
                }
                try presentation.publish(part, of: id)
                #expect(presentation.reload(id, at: part.position) == .ready, "whoever waits for a part has it")
            }
        }
        #expect(parts.all.count == 6)
        #expect(gate.waiting > 0 && !isPublished.withLock { $0 })
        #expect(presentation.lastNumber == MediaSequenceNumber(open - 1), "the slot is still to come")
        gate.open()
        _ = try await eventually(within: 60, "the slot is published") { isPublished.withLock { $0 } ? true : nil }
        presentation.finish()
        #expect(presentation.lastNumber == MediaSequenceNumber(open))
        #expect(disk.files.keys.contains("out/./video-1080p/\(open).m4s"))
    }

    @Test func aPartThatIsRefusedIsToldToNobody() throws {
        let parts = Parts()
        var feed = Feed(nil, partTarget: MediaTime(seconds: 1), consumers: [parts])
        try feed.publish(gaps: [])
        try feed.presentation.publish(Self.part(feed.number, 0), of: Feed.video)
        #expect(throws: PartError.self) { try feed.presentation.publish(Self.part(feed.number, 2), of: Feed.video) }
        #expect(parts.all == [PlaylistPosition(MediaSequenceNumber(feed.number), part: 0)])
    }
}
