import Archive
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// A journal and the recording that it leaves segments to, on a disk that knows what a killed process leaves.
@Suite struct RecordedJournalTests {
    private static let rendition: RenditionID = "video-180p"
    /// Some slots before a block of the recording is over.
    private static let first: Int64 = 256 * 1_700_000 - 6

    /// One process after another.
    private struct Life {
        let presentation: Presentation
        let recording: Recording
        let restored: RestoredWindow?
        private let name: String

        init(
            _ name: String,
            _ disk: MemoryFileSystem,
            _ problems: Problems,
            limits: RecordingLimits = RecordingLimits(),
            window: Int64 = 24
        ) throws {
            self.name = name
            disk.state.withLock { $0.locks = [] }
            recording = try Recording.open(
                "recordings/live",
                identity: ["name": "live"],
                segmentDuration: MediaTime(seconds: 4),
                limits: limits,
                fileSystem: disk,
                onEvent: { problems.note("\($0)") }
            )
            let (journal, restored) = try Journal.open(
                directory: "state",
                channel: "live",
                configuration: [:],
                media: Recorder(recording),
                segmentDuration: MediaTime(seconds: 4),
                capacity: 6000,
                // A test is not in a hurry.
                patience: .seconds(600),
                fileSystem: disk,
                onEvent: { problems.note("\($0)") }
            )
            journal.reportLosses()
            self.restored = restored
            presentation = Presentation(
                configuration: Presentation.Configuration(
                    name: "live",
                    targetDuration: 6,
                    segmentDuration: MediaTime(seconds: 4),
                    windowDuration: MediaTime(seconds: window),
                    maximumBytes: 1 << 20
                ),
                consumers: [journal],
                store: journal
            )
            if let restored {
                presentation.restore(restored, now: MediaTime(seconds: 4 * (restored.window.lastNumber?.value ?? 0)))
            }
            presentation.declare(
                renditions: [RenditionDescription(id: rendition, kind: .video, codecs: ["avc1.640028"])]
            )
            finish()
        }

        var number: Int64 { presentation.saved.lastNumber?.next.value ?? first }
        var now: MediaTime { MediaTime(seconds: 4 * number) }

        var playlist: String? {
            guard case .found(let resource) = presentation.resource("\(rendition).m3u8", now: now) else { return nil }
            return resource.body.memory.map { String(buffer: $0) }
        }

        /// Publishes a slot, whose bytes are those of this process.
        func publish() throws {
            let segment = PublishedSegment(
                programDateTime: now,
                duration: SegmentDuration(value: 4, timescale: 1),
                content: .media(ByteBuffer(string: "\(number) of the \(name) process")),
                initialization: .init(name: "init-0a.mp4", bytes: ByteBuffer(string: "initialization"))
            )
            let slot = PublishedSlot(number: MediaSequenceNumber(number), segments: [rendition: segment])
            try presentation.publish(slot, now: MediaTime(seconds: 4 * (number + 1)))
            finish()
        }

        private func finish() {
            presentation.finish()
            recording.finish()
        }
    }

    /// Neither a size that is too small nor a full disk takes what is listed.
    @Test func slotsOfTheLiveWindowStay() throws {
        let (disk, problems) = (MemoryFileSystem(), Problems())
        let life = try Life("only", disk, problems, limits: RecordingLimits(byteCount: 1), window: 1600)
        for _ in 0..<300 { try life.publish() }
        let recording = life.recording
        recording.prune(now: .zero)
        #expect(recording.extent?.count == 300 && recording.statistics.byteCount > 300 * 10)
        disk.state.withLock { state in state.capacity = state.files.values.reduce(0) { $0 + $1.count } }
        try life.publish()
        #expect(recording.extent?.count == 300 && recording.statistics.unwritten == 1)
        disk.state.withLock { $0.capacity = .max }
        // The window and what has left it lately are within two blocks from here on.
        for _ in 0..<1200 { try life.publish() }
        recording.prune(now: .zero)
        let kept = try #require(recording.extent)
        let window = life.presentation.saved
        #expect(kept.count < 1100 && kept.lowerBound <= window.numbers.lowerBound, "\(kept.count)")
        for file in window.files where file.byteCount != nil {
            #expect(try recording.body(file.path) != nil, "\(file.path)")
        }
    }

    private final class Problems: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }
        func note(_ text: String) { texts.withLock { $0.append(text) } }
    }

    /// Every call to the operating system may be the last one, and half made.
    ///
    /// The next process has other bytes for a slot that the one before has recorded and nobody has seen.
    @Test func aKilledProcessLosesNothingThatWasVisible() throws {
        let (disk, problems) = (MemoryFileSystem(), Problems())
        disk.state.withLock { $0.history = [] }
        let life = try Life("first", disk, problems)
        var visible = life.playlist
        for _ in 0..<12 {
            try life.publish()
            let next = life.playlist
            for files in disk.takeHistory() {
                let successor = MemoryFileSystem(files)
                let second = try Life("second", successor, Problems())
                let found = second.playlist
                #expect(found == visible || found == next)
                try second.publish()
                let third = try Life("third", successor, Problems())
                let window = second.presentation.saved
                #expect(third.restored?.window == window && !window.files.isEmpty)
                for file in window.files {
                    let body = try third.recording.body(file.path)
                    #expect(body?.entityTag == file.entityTag, "\(file.path)")
                    #expect(third.restored?.bodies[file.path] != nil, "\(file.path)")
                }
            }
            visible = next
        }
        #expect(problems.all.isEmpty)
    }
}
