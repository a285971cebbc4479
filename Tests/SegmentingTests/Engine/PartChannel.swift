import ContentProtection
import MediaCore
import NIOCore
import Playlists
import Timeline

@testable import Segmenting

/// An engine that decides in parts of 1.6 s, two pictures or four frames of audio, and hears of one encoder.
///
/// Times are seconds after its start, which is an edge. Slots last 8 s, and crypto periods two of them.
struct PartChannel {
    private var engine: ChannelEngine
    private var feed = EngineEncoder(.input(0), latency: MediaTime(milliseconds: 120), from: EngineRun.start)
    private let first = CryptoPeriods(slotsPerPeriod: 2).period(of: EngineRun.grid.slot(at: EngineRun.start))
    private(set) var now = EngineRun.start
    private(set) var parts: [(part: ChannelEngine.PartDecision, at: MediaTime)] = []
    private(set) var slots: [ChannelEngine.SlotDecision] = []
    /// The remedies of messages that parts do not fit.
    private(set) var remedies: [String] = []
    /// True if the keys of the second period are not there when they are asked for.
    private let isKeyLate: Bool

    static let ids: [RenditionID] = ["video-360p", "audio"]

    init(lateKey: LateKey? = nil, _ change: (inout ChannelEngine.Configuration) -> Void = { _ in }) {
        var configuration = EngineRun.configuration(
            .pts,
            .part(duration: EngineRun.partDuration),
            lateKey: lateKey
        )
        configuration.backupCount = 0
        configuration.cryptoPeriods = lateKey.map { _ in CryptoPeriods(slotsPerPeriod: 2) }
        change(&configuration)
        engine = ChannelEngine(configuration: configuration)
        isKeyLate = lateKey != nil
        for event: ChannelEngine.Event in [
            .added(feed.input, .live), .opened(feed.input, feed.tracks),
            .began(feed.input, feed.tracks, timestampModulus: EngineEncoder.modulus),
            .noticed(feed.input, .metadata(program: nil)),
        ] {
            handle(event)
        }
    }

    static func at(_ seconds: Double) -> MediaTime {
        EngineRun.start + MediaTime(milliseconds: Int64(seconds * 1_000))
    }

    mutating func run(until seconds: Double) {
        while now < Self.at(seconds) {
            now += MediaTime(milliseconds: 200)
            for packet in feed.packets(until: now - feed.latency) {
                for splice in packet.splices { handle(.splice(feed.input, splice)) }
                handle(.packet(feed.input, packet.packet))
            }
            handle(.timeAdvanced([]))
        }
    }

    /// Ends the feed's connection, and begins another one.
    mutating func reconnect() {
        handle(.lost(feed.input, reason: "end of file"))
        handle(.opened(feed.input, feed.tracks))
        handle(.began(feed.input, feed.tracks, timestampModulus: EngineEncoder.modulus))
    }

    /// Sends a tag.
    mutating func tag(_ text: String, at seconds: Double) {
        let timestamp = Self.at(seconds).ticks % EngineEncoder.modulus
        handle(.metadata(feed.input, timestamp: timestamp, ByteBuffer(string: text)))
    }

    /// Sends the keys of the second period.
    mutating func deliver() { handle(.keysArrived(first.next, keys([.video, .audio], of: first.next))) }

    private func keys(_ classes: [KeyClass], of period: CryptoPeriod) -> [KeyClass: [KeyReference]] {
        Dictionary(uniqueKeysWithValues: classes.map { ($0, [KeyReference.made(for: $0, period)]) })
    }

    private mutating func handle(_ event: ChannelEngine.Event) {
        for action in engine.handle(event, at: ClockReading(utc: now, wallClock: now)) {
            switch action {
            case .publishPart(let part): parts.append((part, now))
            case .publish(let decisions): slots += decisions
            case .report(.log(_, "part-duration does not fit the key frames", let metadata)):
                remedies.append(metadata["do"].map { "\($0)" } ?? "")
            case .requestKeys(let request) where !isKeyLate || request.period != first.next:
                handle(.keysArrived(request.period, keys(request.classes, of: request.period)))
            default: break
            }
        }
    }

    /// Returns the parts of a rendition in a slot, which is counted from the start.
    func parts(of slot: Int64, _ id: RenditionID) -> [ChannelEngine.PartDecision] {
        let number = EngineRun.grid.slot(at: EngineRun.start).advanced(by: slot)
        return parts.map(\.part).filter { $0.id == id && $0.cut.number == number }
    }
}
