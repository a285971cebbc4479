import Archive
import MediaCore
import NIOCore
import Origin
import Playlists
import Presentation
import Recording
import RecordingSupport
import Synchronization
import TestSupport

@testable import Hosting

/// Two recordings of one channel with slots of 4 s, the second of which lacks some.
struct HealingStage {
    static let video = RecordedStream.video
    static let audio = RecordedStream.audio
    static let first: Int64 = 449_998_000
    static let count: Int64 = 300
    /// Slots of which the second has nothing, with all that need one of the initialization sections.
    static let away: Range<Int64> = 90..<170
    /// Slots of which the second has no sound.
    static let silent: Range<Int64> = 200..<210

    let directory: TemporaryDirectory
    let whole: Recording
    let holed: Recording
    /// The window of the viewers of the first packager.
    let presentation: Presentation

    init() throws {
        directory = try TemporaryDirectory()
        let stream = try Self.record(directory.file("whole"), away: 0..<0, silent: 0..<0)
        (whole, presentation) = (stream.recording, stream.presentation)
        holed = try Self.record(directory.file("holed"), away: Self.away, silent: Self.silent).recording
    }

    static var numbers: Range<MediaSequenceNumber> { number(0)..<number(count) }
    static func number(_ index: Int64) -> MediaSequenceNumber { MediaSequenceNumber(first + index) }

    private static func record(_ path: String, away: Range<Int64>, silent: Range<Int64>) throws -> RecordedStream {
        let stream = try RecordedStream(path)
        for index in 0..<count where !away.contains(index) {
            if !away.isEmpty, index == away.upperBound { try stream.skip(to: number(index)) }
            try stream.publish(number(index)) { id in
                let name = "init-\(index / 50).mp4"
                return RecordedStream.segment(
                    of: number(index),
                    silent.contains(index) && id == audio ? .gap : .media(ByteBuffer(string: "\(id) \(index)")),
                    .init(name: name, bytes: ByteBuffer(string: "\(id) \(name)")),
                    fingerprint: "\(id)"
                )
            }
        }
        stream.finish()
        return stream
    }

    /// The past playlist of the whole time.
    static func playlist(_ id: RenditionID, of recording: Recording) throws -> String {
        let terms = PastTerms(
            segmentDuration: RecordedStream.segmentDuration,
            targetDuration: 6,
            windowDuration: RecordedStream.window
        )
        let range = PastRange.span(start: first * 4, end: (first + count) * 4)
        let section = try PastSection(range, in: recording.extent, terms, now: StoppedClock().now)
        return String(buffer: try recording.playlist(of: id, section, terms, variables: []).body)
    }

    // MARK: Healing

    /// News of a recording.
    final class News: Sendable {
        private let events = Mutex<[HealingEvent]>([])

        var all: [HealingEvent] { events.withLock { $0 } }

        func add(_ event: HealingEvent) { events.withLock { $0.append(event) } }
    }

    /// Heals the second recording until it is as wanted.
    ///
    /// - Parameters:
    ///   - isWanted: Decides on the status and on the events.
    ///   - run: Has it run.
    /// - Returns: The status and the events at that time.
    /// - Throws: `NotInTime` if it is not as wanted in time.
    func heal(
        until isWanted: @escaping @Sendable (HealingStatus, [HealingEvent]) -> Bool,
        _ run: @escaping @Sendable (RecordingHealing) async -> Void
    ) async throws -> (status: HealingStatus, events: [HealingEvent]) {
        var limits = HealingLimits()
        (limits.interval, limits.period) = (MediaTime(milliseconds: 1), MediaTime(milliseconds: 10))
        (limits.firstDelay, limits.longestDelay) = (MediaTime(milliseconds: 1), MediaTime(milliseconds: 5))
        let news = News()
        let healing = RecordingHealing(
            holed,
            StoppedClock(),
            patience: MediaTime(seconds: 10),
            budget: HealingBudget(bytesPerSecond: 1 << 40),
            limits: limits,
            note: { news.add($0) }
        )
        let task = Task { await run(healing) }
        defer { task.cancel() }
        let outcome = try await eventually(within: 30, "it is healed") {
            let (status, events) = (healing.status, news.all)
            return isWanted(status, events) ? (status, events) : nil
        }
        task.cancel()
        await task.value
        await healing.close()
        return outcome
    }

    /// Heals with what a peer says.
    func heal(
        from peer: ScriptedPeer,
        until isWanted: @escaping @Sendable (HealingStatus, [HealingEvent]) -> Bool
    ) async throws -> (status: HealingStatus, events: [HealingEvent]) {
        try await heal(until: isWanted) { await $0.run(with: peer) }
    }
}

/// A peer with a recording, whose answers a test changes.
struct ScriptedPeer: RecordingPeer {
    let recording: Recording
    /// Changes an answer about slots.
    var changeSlots: @Sendable (PeerRecordingAnswer) -> PeerRecordingAnswer = { $0 }
    /// Changes an answer with media of a path.
    var changeMedia: @Sendable (String, PeerRecordingAnswer) -> PeerRecordingAnswer = { $1 }

    func slots(in numbers: Range<MediaSequenceNumber>) async -> PeerRecordingAnswer {
        let json = try? recording.recordedSlots(in: numbers).json()
        return changeSlots(json.map { PeerRecordingAnswer.body($0) } ?? .silence("it cannot be read"))
    }

    func media(_ path: String) async -> PeerRecordingAnswer {
        let body = try? recording.body(path)?.read()
        return changeMedia(path, body.map { PeerRecordingAnswer.body($0) } ?? .nothing("it answers with status 404"))
    }
}
