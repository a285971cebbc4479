import Files
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport

@testable import Origin

/// The channel `live` of the other tests with a recording, and a clock by hand.
final class PastFixture: Sendable {
    private let directory: TemporaryDirectory
    let recording: Recording
    let presentation: Presentation
    let responder: OriginResponder
    private let clock: Clock

    private final class Clock: Sendable {
        let time = Mutex(MediaTime.zero)
    }

    /// The second at which slot 0 of the fixture begins.
    static let start = Fixture.first * 4

    /// Records slots of a channel, and serves them.
    ///
    /// - Parameters:
    ///   - slots: The number of slots that are published.
    ///   - delay: The least age of what viewers see.
    ///   - keeps: The time for which slots are kept; nil if there is no such limit.
    ///   - steering: The pathways of the live channel.
    ///   - fileSystem: The disk that has the recording.
    ///   - share: The share of the machine that the past has.
    ///   - media: The bytes of the video's slot 9.
    ///   - other: What the channel `other` publishes; nil for ten slots in memory.
    ///   - change: Changes the channel as it is served.
    /// - Throws: `RecordingError` if the recording cannot be opened; the errors of `change` and of the file system.
    init(
        slots: Int64 = 20,
        delay: MediaTime = .zero,
        keeps: MediaTime? = nil,
        steering: MultivariantPlaylist.Steering? = nil,
        fileSystem: any FileSystem = LocalFileSystem.confidential,
        share: PastShare = PastShare(),
        media: ByteBuffer = Fixture.segment,
        other: Presentation? = nil,
        change: (inout OriginChannel, Recording) throws -> Void = { _, _ in }
    ) throws {
        directory = try TemporaryDirectory()
        recording = try Recording.open(
            directory.file("live"),
            identity: ["name": "live"],
            segmentDuration: MediaTime(seconds: 4),
            fileSystem: fileSystem,
            onEvent: { _ in }
        )
        var configuration = Fixture.configuration(name: "live")
        configuration.steering = steering
        presentation = Presentation(
            configuration: configuration,
            consumers: [Recorder(recording, policy: .precedes(within: .seconds(60)))],
            texts: .inline
        )
        var channel = OriginChannel(name: "live", presentation: presentation)
        channel.past = OriginPast(recording: recording, keeps: keeps, delay: delay)
        try change(&channel, recording)
        let clock = Clock()
        self.clock = clock
        let second = try other ?? Fixture.presentation(name: "other")
        responder = OriginResponder(
            channels: [channel, OriginChannel(name: "other", presentation: second)],
            counters: OriginCounters(),
            share: share,
            log: AccessLog(logger: Logger(label: "origin") { _ in LogLines(level: .info) }),
            now: { clock.time.withLock { $0 } }
        )
        try publish(0..<slots, media: media)
    }

    /// Publishes slots, and sets the clock to the end of the last one.
    func publish(_ slots: Range<Int64>, media: ByteBuffer = Fixture.segment) throws {
        try Fixture.publish(in: presentation, slots, media: media)
        presentation.finish()
        setTime(toEndOf: slots.upperBound - 1)
    }

    /// Skips slots, as a process does that was away.
    func skip(to slot: Int64) throws {
        let number = Fixture.first + slot
        _ = try presentation.bridge(to: MediaSequenceNumber(number), now: MediaTime(seconds: number * 4))
    }

    /// Sets the clock.
    func setTime(toEndOf slot: Int64, plus seconds: Int64 = 0) {
        clock.time.withLock { $0 = MediaTime(seconds: Self.start + (slot + 1) * 4 + seconds) }
    }

    /// Asks without a connection.
    func fetch(_ target: String, _ method: HTTPMethod = .GET, _ fields: HTTPHeaders = [:]) -> Answer {
        responder.answer(to: Request(method, target, fields))
    }

    /// The text of an answer, with that of a long one.
    func text(_ target: String) -> String { String(buffer: fetch(target).body) }

    /// The path of a range of slots.
    static func range(_ slots: Range<Int64>) -> String {
        "/live/past/\(start + slots.lowerBound * 4)-\(start + slots.upperBound * 4)"
    }
}
