import Files
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// Floods of the past: they are bounded before they cost anything, and live viewers do not notice.
@Suite(.timeLimit(.minutes(5))) struct PastFloodTests {
    /// The path of a range of a day that begins so many seconds after slot 0.
    private static func day(from second: Int64) -> String {
        let start = PastFixture.start + second
        return "/live/past/\(start)-\(start + 86_400)"
    }

    /// Three blocks of slots, of which nothing has been read but the tables of their lines.
    private static func past(
        _ disk: HeldDisk,
        _ readers: Readers,
        texts: LongAnswers = LongAnswers(),
        other: Presentation? = nil
    ) throws -> PastFixture {
        var share = PastShare()
        (share.texts, share.readers) = (texts, readers)
        let past = try PastFixture(slots: 600, fileSystem: disk, share: share, other: other) { channel, _ in
            channel.recordings = HeldFiles(gate: disk.gate)
        }
        past.recording.finish()
        #expect(past.fetch("\(day(from: 0))/audio-en.m3u8").status == .ok)
        return past
    }

    @Test func aFloodOfDaysIsRefusedBeforeItsTextsAreMade() async throws {
        let (disk, limit) = (HeldDisk(), 1_000_000)
        // One client sends it, and has half of the room.
        let texts = LongAnswers(limit: 2 * limit, short: 1000)
        let past = try Self.past(disk, Readers(threads: 8, mostWaiting: 400), texts: texts)
        let refused = Shared(0)
        disk.gate.close()
        var sent = try await withThrowingTaskGroup(of: Answer.self, returning: [Answer].self) { group in
            defer { disk.gate.open() }
            for second: Int64 in 0..<200 {
                group.addTask {
                    let answer = await past.responder.read("\(Self.day(from: second))/video-1080p.m3u8")
                    if answer.status == .serviceUnavailable { refused.withLock { $0 += 1 } }
                    return answer
                }
            }
            // Those that have room wait for the disk, and all others for nothing.
            _ = try await eventually(within: 10, "the end of the flood") {
                refused.withLock { $0 } + disk.gate.waiting == 200 ? true : nil
            }
            let (held, making) = (texts.byteCount, disk.gate.waiting)
            #expect((1..<8).contains(making))
            #expect(held <= limit && held + held / max(1, making) > limit)
            disk.gate.open()
            var sent: [Answer] = []
            for try await answer in group {
                if answer.status == .ok {
                    sent.append(answer)
                } else {
                    #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == ["1"])
                    #expect(String(buffer: answer.body) == "too many long playlists at once\n")
                }
            }
            #expect(sent.count == making)
            return sent
        }
        // What is sent has the room of its text.
        let bytes = Mutex(0)
        for answer in sent { try await answer.stream? { text in bytes.withLock { $0 += text.readableBytes } } }
        #expect(bytes.withLock { $0 } == texts.byteCount)
        #expect(texts.byteCount > 1000 * sent.count)
        sent = []
        _ = try await eventually(within: 5, "room") { texts.byteCount == 0 ? true : nil }
    }

    @Test(arguments: [HTTPMethod.GET, .HEAD])
    func roomIsTakenWhileATextIsMade(method: HTTPMethod) async throws {
        let disk = HeldDisk()
        let texts = LongAnswers(limit: 2_000_000, short: 1000)
        let past = try Self.past(disk, Readers(threads: 1), texts: texts)
        disk.gate.close()
        async let pending = past.responder.read("\(Self.day(from: 0))/video-1080p.m3u8", method)
        defer { disk.gate.open() }
        _ = try await eventually(within: 10, "a read") { disk.gate.waiting == 1 ? true : nil }
        let making = texts.byteCount
        disk.gate.open()
        let answer = await pending
        #expect(answer.status == .ok)
        if method == .HEAD {
            #expect(making > 1000)
            #expect(answer.stream == nil && answer.fields.contains(name: "Content-Length"))
            _ = try await eventually(within: 5, "room") { texts.byteCount == 0 ? true : nil }
        } else {
            withExtendedLifetime(answer) {
                let sending = texts.byteCount
                #expect(sending > 1000 && sending < making)
            }
        }
    }

    /// All readers of the past wait for a disk that stands still, and as many wait for them as may.
    @Test func aFloodOfThePastHoldsUpNoLiveSegment() async throws {
        let (disk, readers) = (HeldDisk(), Readers(threads: 2, mostWaiting: 8))
        let live = try StoredSegmentTests.presentation(FailingStore())
        let past = try Self.past(disk, readers, other: live)
        // The time at which the other channel has its ten slots.
        past.setTime(toEndOf: 9)
        let paths = [
            "\(Self.day(from: 0))/video-1080p.m3u8", "/live/video-1080p/450000001.m4s", "/live/recordings/a/index.m3u8",
        ]
        let refused = Shared(0)
        let segment = Shared<Answer?>(nil)
        disk.gate.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { disk.gate.open() }
            for index in 0..<99 {
                group.addTask {
                    let answer = await past.responder.read(paths[index % paths.count])
                    guard answer.status != .ok else { return }
                    refused.withLock { $0 += 1 }
                    #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == ["1"])
                    #expect(answer.fields["Access-Control-Allow-Origin"] == ["*"])
                }
            }
            _ = try await eventually(within: 10, "the end of the flood") {
                disk.gate.waiting == 2 && refused.withLock { $0 } + 2 + readers.waitingCount == 99 ? true : nil
            }
            #expect(readers.waitingCount <= 8)
            group.addTask {
                let answer = await past.responder.read("/other/video-1080p/450000003.m4s")
                segment.withLock { $0 = answer }
            }
            let answer = try await eventually(within: 5, "a live segment") { segment.withLock { $0 } }
            #expect(answer.status == .ok && String(buffer: answer.body) == "0123456789")
            #expect(disk.gate.waiting == 2)
            disk.gate.open()
            try await group.waitForAll()
        }
    }

    /// What is on air for viewers who are kept behind is read of a disk as well; what they ask for beside it is nothing.
    @Test func aFloodOfOnAirWithADelayHoldsUpNoLiveRequest() async throws {
        let (gate, readers) = (Gate(), Readers(threads: 2, mostWaiting: 8))
        var share = PastShare()
        share.readers = readers
        let live = try StoredSegmentTests.presentation(FailingStore())
        let past = try PastFixture(delay: MediaTime(seconds: 8), share: share, other: live) { channel, _ in
            channel.onAir = {
                gate.pass()
                return ByteBuffer(string: #"{"renditions":[]}"#)
            }
        }
        // The time at which the other channel has its ten slots.
        past.setTime(toEndOf: 9)
        let refused = Shared(0)
        let segment = Shared<Answer?>(nil)
        gate.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { gate.open() }
            for client in 0..<99 {
                group.addTask {
                    let answer = await past.responder.read("/live/on-air.json?delay=\(client)")
                    guard answer.status != .ok else { return }
                    refused.withLock { $0 += 1 }
                    #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == ["1"])
                }
            }
            _ = try await eventually(within: 10, "the end of the flood") {
                gate.waiting == 2 && refused.withLock { $0 } + 2 + readers.waitingCount == 99 ? true : nil
            }
            #expect(readers.waitingCount <= 8)
            group.addTask {
                let answer = await past.responder.read("/other/video-1080p/450000003.m4s")
                segment.withLock { $0 = answer }
            }
            let answer = try await eventually(within: 5, "a live segment") { segment.withLock { $0 } }
            #expect(answer.status == .ok && String(buffer: answer.body) == "0123456789")
            #expect(past.fetch("/other/video-1080p.m3u8").status == .ok)
            #expect(gate.waiting == 2)
            gate.open()
            try await group.waitForAll()
        }
    }
}

/// A value that several tasks change.
private final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { value.withLock { body(&$0) } }
}

/// A disk that gives out parts of files once a gate is open.
private struct HeldDisk: ForwardingFileSystem {
    let disk: any FileSystem = MemoryFileSystem()
    let gate = Gate()

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer {
        gate.pass()
        return try disk.read(path, range)
    }
}

/// The files of a finished recording, which can be read once a gate is open.
private struct HeldFiles: RecordingFiles {
    let gate: Gate

    func holds(_ path: String) -> Bool? { nil }

    func expiry(of path: Substring) -> MediaTime? { nil }

    func slotsOfKeys(for path: Substring) -> [MediaSequenceNumber] { [] }

    func byteCount(of path: Substring) throws(FileError) -> Int? {
        gate.pass()
        return 8
    }

    func read(_ path: String, _ range: Range<Int>) throws(FileError) -> ByteBuffer { ByteBuffer(string: "#EXTM3U\n") }
}
