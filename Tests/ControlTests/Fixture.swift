import HTTPServing
import Logging
import MediaCore
import Operations
import Playlists
import Presentation
import Synchronization

import struct NIOCore.ByteBuffer

@testable import Control

/// Two channels and seven events.
enum Fixture {
    /// Noon of 2026-11-21.
    static let now = MediaTime(seconds: 1_795_262_400)

    static let live = ChannelStatus(
        name: "live",
        state: .live,
        liveEdge: Timestamp(now - MediaTime(milliseconds: 2500)),
        liveEdgeAge: Seconds(MediaTime(milliseconds: 2500)),
        score: 87,
        reasons: ["backup-1: 3 continuity errors"],
        inputs: [
            ChannelStatus.Input(
                name: "input-1",
                feed: "udp://239.0.0.1:5000",
                role: .primary,
                isConnected: true,
                isSelected: true,
                score: 100,
                bitrate: 5_012_000,
                lastKeyFrameAge: Seconds(MediaTime(milliseconds: 740))
            ),
            ChannelStatus.Input(
                name: "backup-1",
                role: .backup,
                standsByFor: "input-1",
                isConnected: true,
                isSelected: false,
                score: 70,
                reasons: ["3 continuity errors"],
                bitrate: 4_998_000,
                lastKeyFrameAge: Seconds(MediaTime(milliseconds: 1120)),
                continuityErrors: 3,
                alignment: ChannelStatus.Input.Alignment(
                    offset: Seconds(MediaTime(milliseconds: -40)),
                    method: "same access units"
                )
            ),
        ],
        renditions: [
            ChannelStatus.Rendition(
                id: "video-1080p",
                resolution: "1920x1080",
                codecs: ["avc1.640028"],
                source: "input-1",
                newest: .media,
                segments: 14,
                gaps: 1
            )
        ],
        selection: ChannelStatus.Selection(mode: .automatic, input: "input-1"),
        journal: ChannelStatus.Storage(isHealthy: false, problem: "no space left on device"),
        recording: ChannelStatus.Recording(
            isHealthy: true,
            bytes: 500_000_000_000,
            start: Timestamp(now - MediaTime(seconds: 14 * 86_400)),
            end: Timestamp(now - MediaTime(seconds: 4)),
            removedEarly: 512,
            late: 2,
            lost: 1,
            healing: ChannelStatus.Recording.Healing(filled: 7, missing: 2, refused: 3, problem: "no connection")
        ),
        peer: ChannelStatus.Peer(url: "http://192.0.2.7:8080")
    )

    static let soon = ChannelStatus(
        name: "soon",
        state: .starting,
        score: 0,
        reasons: ["input-1 is not connected"],
        inputs: [
            ChannelStatus.Input(
                name: "input-1",
                role: .primary,
                isConnected: false,
                isSelected: false,
                score: 0,
                reasons: ["not connected"]
            )
        ],
        renditions: [],
        selection: ChannelStatus.Selection(mode: .automatic)
    )

    static let slots = {
        var slots = WindowSnapshot.SlotCounts()
        (slots.media, slots.gaps, slots.slates, slots.lost) = (40, 2, 1, MediaTime(seconds: 12))
        return slots
    }()

    static let origin = OriginStatus(
        connections: 812,
        maximumConnections: 19_000,
        maximumConnectionsPerAddress: 9500,
        displaced: 3,
        refused: 0,
        displacedByAddress: 1,
        outOfDescriptors: 0,
        requests: 90_123,
        bytes: 1_234_567_890,
        viewers: 640
    )

    static func event(_ number: Int, message: String = "Something happened.") -> ChannelEvent {
        ChannelEvent(time: now + MediaTime(seconds: Int64(number)), channel: "live", kind: .gap, message: message)
    }

    static func log(_ count: Int = 7, capacity: Int = 1000, signal: EventSignal? = nil) -> EventLog {
        let log = EventLog(capacity: capacity) { _ in signal?.fire() }
        for number in 0..<count { log.append(event(number + 1)) }
        return log
    }

    static func server(
        _ configuration: ControlConfiguration = ControlConfiguration(port: 0),
        access: ControlAccess = ControlAccess(),
        channels: [any OperatedChannel] = [StubChannel(live), StubChannel(soon)],
        origin: OriginStatus = origin,
        events: EventLog = log(),
        archive: (any EventArchive)? = nil,
        webhooks: [WebhookStatus] = [],
        signal: EventSignal = EventSignal(),
        operated: any OperatedConfiguration = Papers(),
        upgrade: UpgradeForecast = UpgradeForecast(encoders: []),
        onLimit: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in },
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) -> ControlServer {
        ControlServer(
            configuration: configuration,
            access: access,
            channels: { channels },
            origin: { origin },
            events: events,
            archive: archive,
            signal: signal,
            operated: operated,
            upgrade: { upgrade },
            webhooks: { webhooks },
            now: { now },
            logger: Logger(label: "control") { _ in SwiftLogNoOpLogHandler() },
            onLimit: onLimit,
            onRunning: onRunning
        )
    }

    /// An event with all there is to say.
    static let loss = ChannelEvent(
        time: now,
        channel: "live",
        kind: .inputLost,
        input: "input-1",
        renditions: ["video-1080p", "audio-en"],
        slot: MediaSequenceNumber(448_815_600),
        message: "No packet for 2 s / \"cable\"."
    )
}

/// A channel that does as it is told and is as it was made.
final class StubChannel: OperatedChannel {
    private let current: Mutex<ChannelStatus>
    private let chosenBy = Mutex<String?>(nil)
    /// The client that has chosen last.
    var client: String? { chosenBy.withLock { $0 } }

    init(_ status: ChannelStatus) {
        current = Mutex(status)
    }

    var name: String { current.withLock { $0.name } }

    func status(at now: MediaTime) -> ChannelStatus { current.withLock { $0 } }

    let totals = {
        var totals = WindowSnapshot.Totals()
        (totals.slots, totals.bytes) = (["video-1080p": Fixture.slots], 1_000_000)
        for milliseconds: Int64 in [40, 450, 1660] {
            totals.publicationDelay.add(MediaTime(milliseconds: milliseconds))
        }
        return totals
    }()

    func select(input: String, hold: Bool, by client: String?) throws(SelectionError) {
        chosenBy.withLock { $0 = client }
        // An input that its status lists, and that is gone when it is to be selected.
        if input == "backup-1", name == "gone" { throw .unknownInput(input, known: []) }
        current.withLock { $0.selection = .init(mode: hold ? .held : .automatic, input: input) }
    }

    let subtitleLanguages = ["en", "pt-BR"]

    private let library = StubAssets()
    /// All but those that have not begun record.
    var assets: (any OperatedAssets)? { name == "soon" ? nil : library }

    func earliest(at now: MediaTime) -> MediaTime { now }

    /// Contents that begin before this moment are over, and the others are where they are; one range is known.
    ///
    /// The disk of one of its name is full.
    func accept(_ contents: [ScheduleAction.Content], at now: MediaTime) -> ScheduleAcceptance {
        ScheduleAcceptance(outcomes(of: contents, at: now), unkept: name == "full" ? "No space left on device" : nil)
    }

    private func outcomes(of contents: [ScheduleAction.Content], at now: MediaTime) -> [[ScheduleOutcome]] {
        contents.map { content -> [ScheduleOutcome] in
            switch content {
            case .cues(_, let cues): return cues.map { Self.outcome(at: $0.start) }
            case .dateRange(let range, let announcement):
                if range.id == "known" { return [.refused(.rangeExists("known"))] }
                return [.slot(Self.slot(at: announcement), at: range.start ?? now)]
            case .update(let range):
                return [range.id == "known" ? .slot(MediaSequenceNumber(7), at: now) : .refused(.noRange(range.id))]
            case .withdrawal(let id, _): return [id == "known" ? .withdrawn : .refused(.noRange(id))]
            case .splice(_, let time), .metadata(_, let time): return [Self.outcome(at: time)]
            }
        }
    }

    private static func outcome(at time: MediaTime) -> ScheduleOutcome {
        time < Fixture.now ? .refused(.over(before: Fixture.now)) : .slot(slot(at: time), at: time)
    }

    private static func slot(at time: MediaTime) -> MediaSequenceNumber {
        MediaSequenceNumber(time.ticks / MediaTime(seconds: 4).ticks)
    }

    var dateRanges: (listed: [DateRange], planned: [DateRange]) {
        var range = DateRange(id: "known", start: Fixture.now)
        range.custom = [.init(name: "X-A", value: .number("1.5")), .init(name: "X-B", value: .hexadecimal([0x0A]))]
        return ([range], [])
    }

    let onAir = OnAirStatus(renditions: [
        .init(
            id: "video-1080p",
            runs: [
                .init(
                    source: "input-1",
                    start: Timestamp(Fixture.now - MediaTime(seconds: 60)),
                    end: Timestamp(Fixture.now)
                )
            ]
        )
    ])

    /// A picture of what is on air, and of each input but `backup-1`.
    func thumbnail(of input: String?) throws(ThumbnailError) -> ByteBuffer {
        if name == "soon" { throw .off }
        let inputs = current.withLock { $0.inputs.map(\.name) }
        guard let input else { return ByteBuffer(string: "JPEG of \(name)") }
        if !inputs.contains(input) { throw .unknownInput(input, known: inputs) }
        if input == "backup-1" { throw .nothingToShow }
        return ByteBuffer(string: "JPEG of \(input)")
    }

    func selectAutomatically(by client: String) {
        chosenBy.withLock { $0 = client }
        current.withLock { $0.selection = .init(mode: .automatic, input: "input-1") }
    }
}
