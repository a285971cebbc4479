import Foundation
import Logging
import MediaCore
import Operations
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// The schedule of accepted actions, on a disk and at a peer.
@Suite struct ScheduleFileTests {
    private static func action(_ text: String) -> ScheduleAction {
        let now = MediaTime(seconds: 1_795_262_400)
        let cue = ScheduledCue(start: now, end: now + MediaTime(seconds: 2), payload: text)
        return ScheduleAction(.cues(language: "en", [cue]), accepted: now, effective: now)
    }

    private final class Log: Sendable {
        let events = Mutex<[String]>([])
    }

    private static func file(_ disk: MemoryFileSystem, _ log: Log) -> ScheduleFile {
        ScheduleFile(directory: "state", channel: "live", fileSystem: disk) { event in
            log.events.withLock { $0.append("\(event)") }
        }
    }

    @Test func whatWasKeptIsThereForTheNextProcess() async {
        let (disk, log) = (MemoryFileSystem(), Log())
        let file = Self.file(disk, log)
        #expect(file.read().isEmpty)
        let actions = [Self.action("a"), Self.action("b")]
        #expect(await file.keep { actions } == nil)
        #expect(Self.file(disk, log).read() == actions)
        #expect(log.events.withLock { $0 }.isEmpty)
    }

    @Test func aFullDiskIsToldOnceAndLosesNothingThatWasThere() async {
        let (disk, log) = (MemoryFileSystem(), Log())
        let file = Self.file(disk, log)
        #expect(await file.keep { [Self.action("a")] } == nil)
        disk.state.withLock { $0.failure = 28 }
        for _ in 0..<2 { #expect(await file.keep { [Self.action("b")] } != nil) }
        #expect(file.read() == [Self.action("a")])
        disk.state.withLock { $0.failure = nil }
        #expect(await file.keep { [Self.action("b")] } == nil)
        let events = log.events.withLock { $0 }
        #expect(events.count == 2 && events[0].contains("not kept for a restart"), "\(events)")
    }

    /// Nobody has to post something for it.
    @Test func itIsWrittenOnceThereIsRoomAgain() async {
        let (disk, log) = (MemoryFileSystem(), Log())
        let (events, continuation) = AsyncStream<String>.makeStream()
        let file = ScheduleFile(directory: "state", channel: "live", fileSystem: disk, retryDelay: .milliseconds(1)) {
            continuation.yield("\($0)")
        }
        disk.state.withLock { $0.failure = 28 }
        #expect(await file.keep { [Self.action("a")] } != nil)
        disk.state.withLock { $0.failure = nil }
        for await event in events where event.contains("kept for a restart again") { break }
        #expect(Self.file(disk, log).read() == [Self.action("a")])
    }

    @Test(arguments: ["", "{", "[]", #"{"actions": 1}"#, "\u{0}\u{0}"])
    func aDamagedFileIsToldAndNothingIsTaken(text: String) {
        let log = Log()
        #expect(Self.file(MemoryFileSystem(["state/live/schedule": Array(text.utf8)]), log).read().isEmpty)
        #expect(log.events.withLock { $0 }.first?.contains("cannot be read") == true)
    }

    /// A version after this one may know more kinds.
    @Test func whatIsOfAnUnknownKindIsLeftOut() throws {
        let known = String(decoding: try JSONEncoder.canonical.encode(Self.action("a")), as: UTF8.self)
        let json = #"{"actions":[{"accepted":1,"effective":1,"dance":true},\#(known)]}"#
        #expect(try ScheduleDocument(json: Data(json.utf8)).actions == [Self.action("a")])
    }

    @Test func aPeerIsAskedForAllThatItHas() async throws {
        let document = try ScheduleDocument(actions: [Self.action("a")]).json()
        let body = String(decoding: document, as: UTF8.self)
        try await CannedPeer.serve { path in
            path == "/live/schedule.json" ? CannedPeer.answer(body) : nil
        } _: { url in
            let watch = PeerWatch(
                url: url,
                credentials: "",
                channel: "live",
                events: EventLog(),
                clock: SystemClock(),
                logger: Logger(label: "peer") { _ in SwiftLogNoOpLogHandler() }
            )
            // It has a second for its answer, which a busy machine may need for itself.
            let actions = try await eventually(within: 20, "it answers") { await watch.schedule() }
            #expect(actions == [Self.action("a")])
        }
        // One of a version without it.
        try await CannedPeer.serve { _ in
            CannedPeer.answer("", status: "404 Not Found")
        } _: { url in
            let watch = PeerWatch(
                url: url,
                credentials: "",
                channel: "live",
                events: EventLog(),
                clock: SystemClock(),
                logger: Logger(label: "peer") { _ in SwiftLogNoOpLogHandler() }
            )
            #expect(await watch.schedule() == nil)
        }
    }
}
