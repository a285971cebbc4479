import Channels
import Files
import Glibc
import HTTPServing
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import RecordingSupport
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// Floods of questions about what viewers have who are kept behind: they cost few reads and little memory.
@Suite(.timeLimit(.minutes(5))) struct DelayedOnAirTests {
    /// The first slot, which is that of a block.
    private static let first: Int64 = 449_999_872
    private static let count: Int64 = 1100
    /// Slots of which nothing was recorded, from the midst of a block to the midst of another.
    private static let away: Range<Int64> = 150..<900
    /// The slots that viewers have at a time.
    private static let shown: Int64 = 10

    private let directory: TemporaryDirectory
    private let disk = IndexDisk()
    private let recording: Recording

    /// Records as one process does, with sound in every other slot, and opens the recording as the next one does.
    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.file("live")
        let stream = try RecordedStream(path)
        for index in 0..<Self.count where !Self.away.contains(index) {
            let number = Self.number(index)
            if index == Self.away.upperBound { try stream.skip(to: number) }
            try stream.publish(number) { id in
                let isGap = id == RecordedStream.audio && !index.isMultiple(of: 2)
                return RecordedStream.segment(
                    of: number,
                    isGap ? .gap : .media(ByteBuffer(string: "\(id) \(index)")),
                    .init(name: "init-0.mp4", bytes: ByteBuffer(string: "\(id)")),
                    fingerprint: "\(id)"
                )
            }
        }
        stream.finish()
        stream.recording.close()
        recording = try Recording.open(
            path,
            identity: ["name": "live"],
            segmentDuration: RecordedStream.segmentDuration,
            cache: BlockCache(capacity: 1 << 24),
            fileSystem: disk,
            onEvent: { _ in }
        )
        disk.forgetReads()
    }

    private static func number(_ index: Int64) -> MediaSequenceNumber { MediaSequenceNumber(first + index) }

    private func makeOnAir() -> DelayedOnAir { DelayedOnAir(recording, OnAirMonitor()) }

    /// Asks for what viewers have whose newest slot is the one at an index.
    private static func ask(_ onAir: DelayedOnAir, at index: Int64) -> OnAirHistory {
        onAir.history(of: number(index + 1 - shown)..<number(index + 1), since: start(of: index + 1 - shown))
    }

    private static func start(of index: Int64) -> MediaTime { RecordedStream.segmentDuration * number(index).value }

    /// Viewers see all that was recorded, and the time of which nothing was: each block is read once.
    @Test func slotsThatWereNotRecordedAreNotLookedForAgain() {
        let onAir = makeOnAir()
        // Those of the block, and those before it that are shown.
        let most = 256 + Int(Self.shown)
        for index in Self.shown..<Self.count {
            var history = OnAirHistory()
            for _ in 0..<3 { history = Self.ask(onAir, at: index) }
            #expect(history.renditions.allSatisfy { $0.runs.count <= most }, "\(index)")
            let seen = history.before(Self.number(index + 1), from: Self.start(of: index + 1))
            let isAway = Self.away.contains(index) && Self.away.contains(index + 1 - Self.shown)
            #expect(seen.renditions.isEmpty == isAway, "\(index)")
        }
        #expect(disk.reads.count == 2 && disk.reads.values.allSatisfy { $0 <= 2 }, "\(disk.reads)")
    }

    /// Four hundred clients ask eight channels, each with another delay.
    @Test func clientsOfAChannelShareOneRead() async throws {
        let readers = Readers(threads: 4)
        let channels = (0..<8).map { _ in makeOnAir() }
        let answers = try await withThrowingTaskGroup(
            of: (Int, OnAirHistory).self,
            returning: [Int: Set<OnAirHistory>].self
        ) { group in
            for client in 0..<400 {
                let (index, channel) = (client % 8, channels[client % 8])
                group.addTask {
                    let history = try await readers.run(for: 1) { Self.ask(channel, at: 140 - 10 * Int64(index)) }
                    return (index, history)
                }
            }
            var answers: [Int: Set<OnAirHistory>] = [:]
            for try await (index, history) in group { answers[index, default: []].insert(history) }
            return answers
        }
        #expect(answers.count == 8 && answers.values.allSatisfy { $0.count == 1 })
        #expect(answers.values.allSatisfy { $0.first?.renditions.isEmpty == false })
        #expect(disk.reads.count == 1 && disk.reads.values.allSatisfy { $0 == 8 }, "\(disk.reads)")
    }

    @Test func aDiskThatFailsIsTriedOnceASlot() {
        let onAir = makeOnAir()
        disk.set(isFailing: true)
        for index in 100..<110 as Range<Int64> {
            for _ in 0..<50 { #expect(Self.ask(onAir, at: index).renditions.isEmpty) }
        }
        #expect(disk.reads.values.reduce(0, +) == 10, "\(disk.reads)")
        disk.set(isFailing: false)
        #expect(Self.ask(onAir, at: 109).renditions.isEmpty)
        #expect(Self.ask(onAir, at: 110).renditions.count == 2)
    }
}

/// A disk that counts how often whole files, the indexes of blocks, are read, and fails to read them if a test wants it to.
private final class IndexDisk: ForwardingFileSystem {
    let disk: any FileSystem = LocalFileSystem.confidential
    private let state = Mutex(State())

    private struct State {
        var reads: [String: Int] = [:]
        var isFailing = false
    }

    /// The number of reads of each file, by its path.
    var reads: [String: Int] { state.withLock { $0.reads } }

    func forgetReads() { state.withLock { $0.reads = [:] } }

    func set(isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

    func read(_ path: String, limit: Int) throws(FileError) -> ByteBuffer? {
        let isFailing = state.withLock { state in
            state.reads[path, default: 0] += 1
            return state.isFailing
        }
        if isFailing { throw FileError(operation: "read", path: path, code: EIO) }
        return try disk.read(path, limit: limit)
    }
}
