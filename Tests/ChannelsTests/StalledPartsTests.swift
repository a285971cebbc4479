import Archive
import ContentProtection
import Dispatch
import Files
import Foundation
import Glibc
import Logging
import MediaCore
import NIOCore
import Playlists
import Presentation
import SegmentingSupport
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Operations
@testable import Packaging
@testable import Segmenting

/// One thing stands still at a time, and the slots of everything else are published on time.
///
/// The clock is set by hand: whatever is waited for here is waited for by a real thread that stands still.
@Suite(.timeLimit(.minutes(5))) struct StalledPartsTests {
    /// The product's way of writing lines, to a pipe that nobody reads.
    private struct UnreadLog: LogHandler {
        let writer: LineWriter
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { writer.write("\(event.message)") }
    }

    private let feed = ChannelFeed()

    private func published(_ fixture: ChannelFixture, _ id: RenditionID, until newest: String) async throws {
        _ = try await eventually(within: 60, "\(id) has \(newest)") {
            fixture.window(id).last == newest ? true : nil
        }
    }

    /// Sends on a thread of its own, as an input does.
    ///
    /// - Returns: A stream that ends once all is sent.
    private func send(_ range: Range<Int64>, to input: ChannelInput, of fixture: ChannelFixture) -> AsyncStream<Void> {
        let (stream, done) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            feed.sendLive(range, at: range.lowerBound, to: input, of: fixture)
            done.finish()
        }
        return stream
    }

    @Test func aRenditionThatCannotBeWrittenHoldsUpNoOther() async throws {
        let gate = Gate()
        let fixture = ChannelFixture(
            makeWriter: { form, id in
                let writer = RenditionPackager(form, id: id, encryption: .none, keys: KeyStore())
                return HeldWriter(writer: writer, gate: form.kind == .audio ? gate : nil)
            },
            isInline: false
        )
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        for await _ in send(0..<9_000, to: input, of: fixture) {}
        try await published(fixture, "audio", until: "1")
        gate.close()
        for await _ in send(9_000..<21_000, to: input, of: fixture) {}
        // The first such slot waits as long as a slot takes, those that follow do not.
        try await published(fixture, "video-180p", until: "4")
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4"])
        #expect(fixture.window("audio") == ["0", "1", "2 gap", "3 gap", "4 gap"])
        gate.open()
        try await awaitIdle(gate)
        for await _ in send(21_000..<29_000, to: input, of: fixture) {}
        try await published(fixture, "audio", until: "6")
        #expect(fixture.window("video-180p").suffix(2) == ["5", "6"])
    }

    @Test func aFirstSegmentThatIsLateIsNotTakenForOneThatCannotBeWritten() async throws {
        let gate = Gate()
        gate.close()
        let fixture = ChannelFixture(
            format: .ts,
            makeWriter: { form, id in
                HeldWriter(writer: RenditionPackager(form, id: id, encryption: .none, keys: KeyStore()), gate: gate)
            },
            isInline: false
        )
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        for await _ in send(0..<5_000, to: input, of: fixture) {}
        _ = try await eventually(within: 60, "the slot is given up") {
            fixture.channel.engine.watches.repairs.totals[RepairLog.unpublishableSegment] == 1 ? true : nil
        }
        gate.open()
        try await awaitIdle(gate)
        for await _ in send(5_000..<13_000, to: input, of: fixture) {}
        try await published(fixture, "video-180p", until: "2")
        // Pictures and audio share their segments, as they would have.
        #expect(fixture.window("video-180p") == ["1", "2"])
        #expect(fixture.presentation.snapshot().renditions.count == 1)
        #expect(!fixture.record.contains { $0.hasPrefix("input-problem") })
    }

    private func awaitIdle(_ gate: Gate) async throws {
        _ = try await eventually(within: 60, "nobody waits at the gate") { gate.waiting == 0 ? true : nil }
    }

    @Test func aDiskThatStandsStillHoldsUpNeitherInputsNorPublication() async throws {
        let gate = Gate()
        defer { gate.open() }
        let disk = GatedFileSystem { gate.pass() }
        let journal = try Journal.open(
            directory: "/state",
            channel: "live",
            configuration: [:],
            segmentDuration: MediaTime(seconds: 4),
            fileSystem: disk,
            onEvent: { _ in }
        ).journal
        let fixture = ChannelFixture(consumers: [journal], isInline: false)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        for await _ in send(0..<9_000, to: input, of: fixture) {}
        try await published(fixture, "video-180p", until: "1")
        gate.close()
        // The input is read, and the slots are listed, while nothing reaches the disk.
        for await _ in send(9_000..<25_000, to: input, of: fixture) {}
        try await published(fixture, "video-180p", until: "5")
        _ = try await eventually(within: 60, "the disk stands still") { gate.waiting == 1 ? true : nil }
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4", "5"])
        #expect(journal.statistics.late > 0)
    }

    @Test func aJournalThatNeverReturnsHoldsUpNobodyWhoAsks() async throws {
        let gate = Gate()
        let fixture = ChannelFixture(backupCount: 1, consumers: [HeldJournal(gate: gate)], isInline: false)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        for await _ in send(0..<9_000, to: input, of: fixture) {}
        try await published(fixture, "video-180p", until: "1")
        gate.close()
        for await _ in send(9_000..<14_000, to: input, of: fixture) {}
        _ = try await eventually(within: 60, "a publication waits") { gate.waiting == 1 ? true : nil }
        // The input, time, an operator, a viewer of the window, the control API: each would wait for the disk.
        for await _ in send(14_000..<22_000, to: input, of: fixture) {}
        fixture.channel.timeAdvanced()
        fixture.channel.select(.backup(0, inputCount: 1), holds: true)
        #expect(fixture.channel.latestStatus.held == [.backup(0, inputCount: 1)])
        #expect(!fixture.channel.isJoining)
        #expect(fixture.channel.inputBytes > 0)
        #expect(!fixture.presentation.saved.files.isEmpty)
        #expect(!fixture.presentation.slotsWithKeys.isEmpty)
        #expect(gate.waiting == 1)
        gate.open()
        try await published(fixture, "video-180p", until: "4")
    }

    @Test func whoAsksAllTheTimeHoldsUpNothing() async throws {
        let fixture = ChannelFixture(backupCount: 1, isInline: false)
        let isDone = Atomic(false)
        let viewers = Atomic(4)
        for _ in 0..<viewers.load(ordering: .relaxed) {
            // The threads that all others share are not theirs: there are no more of those than cores.
            Thread.detachNewThread {
                while !isDone.load(ordering: .relaxed) {
                    _ = fixture.presentation.saved
                    _ = fixture.presentation.snapshot()
                    _ = fixture.channel.latestStatus
                    fixture.channel.selectAutomatically()
                }
                viewers.subtract(1, ordering: .releasing)
            }
        }
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        for await _ in send(0..<21_000, to: input, of: fixture) {}
        try await published(fixture, "video-180p", until: "4")
        isDone.store(true, ordering: .relaxed)
        _ = try await eventually(within: 60, "the viewers have left") {
            viewers.load(ordering: .acquiring) == 0 ? true : nil
        }
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4"])
    }

    @Test func aLogThatNobodyReadsHoldsUpNothing() async throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        // It takes nothing any more.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let filling = [UInt8](repeating: 0, count: 4096)
        while write(ends[1], filling, filling.count) > 0 {}
        _ = fcntl(ends[1], F_SETFL, 0)
        let writer = LineWriter(ends[1])
        let fixture = ChannelFixture(
            logger: Logger(label: "unread") { _ in UnreadLog(writer: writer) },
            isInline: false
        )
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        for await _ in send(0..<21_000, to: input, of: fixture) {}
        try await published(fixture, "video-180p", until: "4")
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4"])
        // The writer that waits is let go, and finds a reader.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var read = [UInt8](repeating: 0, count: 1 << 20)
        while Glibc.read(ends[0], &read, read.count) > 0 {}
    }

    @Test func aKeySourceThatNeverAnswersHoldsUpNothing() async throws {
        let source = try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: MediaSequenceNumber(Epoch.slot.value + 2))
        let fixture = ChannelFixture(encryption: .sampleAES(source), isInline: false)
        let other = ChannelFixture(isInline: false)
        let inputs = [fixture, other].map { $0.channel.makeInput(.input(0), pace: .live) }
        for input in inputs { feed.open(input) }
        for await _ in send(0..<9_000, to: inputs[0], of: fixture) {}
        try await published(fixture, "video-180p", until: "1")
        // Slots are gaps on time: each as long after its end as a playlist may be late.
        for await _ in send(9_000..<25_000, to: inputs[0], of: fixture) {}
        try await published(fixture, "video-180p", until: "4 gap")
        #expect(fixture.window("audio") == ["0", "1", "2 gap", "3 gap", "4 gap"])
        for await _ in send(0..<21_000, to: inputs[1], of: other) {}
        try await published(other, "video-180p", until: "4")
        source.release()
        for await _ in send(25_000..<29_000, to: inputs[0], of: fixture) {}
        try await published(fixture, "video-180p", until: "6")
        #expect(fixture.window("video-180p").suffix(2) == ["5", "6"])
    }

    @Test func anInputThatStandsStillHoldsUpNoOther() async throws {
        let fixture = ChannelFixture(inputCount: 2, isInline: false)
        let inputs = (0..<2).map { fixture.channel.makeInput(.input($0), pace: .live) }
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        try await published(fixture, "video-180p", until: "1")
        // The second delivers nothing any more, and says nothing either.
        for await _ in send(9_000..<27_000, to: inputs[0], of: fixture) {}
        try await published(fixture, "video-180p", until: "5")
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4", "5"])
    }
}

private final class Lock: HeldLock {
    func isInPlace() -> Bool { true }
}

/// A disk in memory, every write to which passes a gate.
private final class GatedFileSystem: FileSystem {
    private let files = Mutex<[String: ByteBuffer]>([:])
    private let pass: @Sendable () -> Void

    init(pass: @escaping @Sendable () -> Void) {
        self.pass = pass
    }

    func makeDirectory(_ path: String) {}
    func lock(_ path: String) -> (any HeldLock)? { Lock() }
    func list(_ path: String) -> [String] { [] }
    func read(_ path: String, limit: Int) -> ByteBuffer? { files.withLock { $0[path] } }

    func read(_ path: String, _ range: Range<Int>) -> ByteBuffer {
        files.withLock { $0[path]?.getSlice(at: range.lowerBound, length: range.count) } ?? ByteBuffer()
    }

    func byteCount(of path: String) -> Int? { files.withLock { $0[path]?.readableBytes } }
    func availableByteCount(of path: String) -> Int { .max }

    func create(_ path: String, _ bytes: ByteBuffer) {
        pass()
        files.withLock { $0[path] = bytes }
    }

    func replace(_ path: String, _ bytes: ByteBuffer) { create(path, bytes) }
    func reserve(_ path: String, byteCount: Int) {}
    func write(_ bytes: ByteBuffer, to path: String, at offset: Int) { pass() }
    func remove(_ path: String) { files.withLock { $0[path] = nil } }
    func removeDirectory(_ path: String) {}
    func synchronize(_ path: String) {}
}
