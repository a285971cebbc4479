import Foundation
import MediaCore
import SCTE35
import TestSupport
import TimedText

/// The stage of a scenario: a channel, its encoders and a viewer on the simulated clock.
///
/// Times are milliseconds from the scenario's beginning on.
final class Stage {
    private let settings: Settings
    private let clock: ManualClock
    private let epoch: MediaTime
    private let directory: URL
    private var channel: RecordedChannel?
    /// The other packager of a pair, which gets all that the encoders send and is not looked at.
    private var peer: RecordedChannel?
    private var encoders: [InputName: Encoder] = [:]
    private var ticks: Int64 = 0
    /// The number of times that the packager has been started anew.
    private var run = 0
    private var viewer = Viewer()
    private var events: [RecordedEvent] = []

    /// The interval at which a channel hears that time goes by.
    private static let tickInterval: Int64 = 100

    init(_ settings: Settings, directory: URL) async throws {
        self.settings = settings
        self.directory = directory
        epoch = MediaTime(seconds: settings.epoch)
        clock = ManualClock(epoch)
        channel = try await RecordedChannel(settings, clock: clock, directory: directory, run: run)
    }

    // MARK: Encoders

    /// An encoder begins to send, in the place of the one before it.
    ///
    /// - Parameters:
    ///   - input: Where it is plugged in.
    ///   - feed: What it sends.
    ///   - since: When its media began; it may have been running before it was plugged in.
    ///   - timestamps: That of its first picture; nil for UTC.
    ///   - loops: Whether it starts over.
    func start(
        _ input: InputName,
        _ feed: Feed,
        since: Int64? = nil,
        timestamps: Int64? = nil,
        loops: Bool = true
    ) async {
        let start = since.map { epoch + MediaTime(milliseconds: $0) } ?? clock.now
        var encoder = Encoder(feed, start: start, base: timestamps, loops: loops)
        encoder.skip(to: clock.now)
        encoders[input] = encoder
        await send(.opened(feed.tracks, timestampModulus: feed.timestampModulus), from: input)
    }

    /// Changes an encoder's packets from now on.
    func edit(_ input: InputName, _ edit: @escaping Encoder.Edit) {
        encoders[input]?.edit = edit
    }

    /// Its timestamps jump.
    func jump(_ input: InputName, by milliseconds: Int64) {
        encoders[input]?.base += MediaTime(milliseconds: milliseconds).ticks
    }

    /// Has an encoder's timestamps run faster than UTC from now on, in parts per million.
    func drift(_ input: InputName, by amount: Int64) {
        encoders[input]?.drift = amount
    }

    /// Nothing of it comes through until then.
    func stall(_ input: InputName, until milliseconds: Int64) {
        encoders[input]?.stalledUntil = epoch + MediaTime(milliseconds: milliseconds)
    }

    /// Nothing of it comes through any more, and nobody says so.
    func unplug(_ input: InputName) {
        encoders[input] = nil
    }

    /// The connection breaks.
    func lose(_ input: InputName) async {
        encoders[input] = nil
        await send(.lost("connection reset"), from: input)
    }

    /// An event other than a packet comes from a reader.
    func send(_ event: FeedEvent, from input: InputName) async {
        await channel?.deliver(event, to: input)
        await peer?.deliver(event, to: input)
        look()
    }

    /// An ID3 tag comes that is due now.
    func tag(_ input: InputName, _ bytes: [UInt8]) async {
        guard let timestamp = encoders[input]?.timestamp(at: clock.now) else { return }
        let info = PacketInfo(trackIndex: 99, presentationTimestamp: timestamp, decodeTimestamp: timestamp)
        await send(.tag(info, bytes), from: input)
    }

    /// A way out of the programme, or back, is told of now.
    ///
    /// - Parameters:
    ///   - input: What tells of it; its timestamps are UTC.
    ///   - event: Of the break.
    ///   - isOut: Whether it leaves the programme.
    ///   - milliseconds: When it happens.
    ///   - lasting: How long the break is planned to be, in milliseconds; nil if that is not said.
    ///   - returns: Whether it ends by itself then.
    /// - Throws: If the section cannot be written.
    func splice(
        _ input: InputName,
        _ event: UInt32,
        isOut: Bool,
        at milliseconds: Int64,
        lasting: Int64? = nil,
        returns: Bool = false
    ) async throws {
        let time = UInt64((epoch + MediaTime(milliseconds: milliseconds)).ticks % (1 << 33))
        let duration = lasting.map {
            BreakDuration(ticks: UInt64(MediaTime(milliseconds: $0).ticks), returnsByItself: returns)
        }
        let details = SpliceInsert.Details(isOut: isOut, place: .program(time), duration: duration)
        let section = SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
        await send(.splice(try section.bytes()), from: input)
    }

    /// The section that takes an event back.
    static func cancellation(of event: UInt32) -> [UInt8] {
        (try? SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: nil))).bytes()) ?? []
    }

    /// Cues come beside the feeds: each from one time to another.
    func show(_ cues: [(from: Int64, to: Int64, text: String)], in subtitles: Int = 0) async {
        let cues = cues.compactMap { cue in
            CueContent(plain: cue.text).map { content in
                TimedCue(
                    start: epoch + MediaTime(milliseconds: cue.from),
                    end: epoch + MediaTime(milliseconds: cue.to),
                    content: content
                )
            }
        }
        await channel?.show(cues, in: subtitles)
        await peer?.show(cues, in: subtitles)
        look()
    }

    /// Decoding has found something.
    func find(_ input: InputName, _ kind: MediaKind, _ content: ContentFinding.Content) async {
        guard let encoder = encoders[input], let track = encoder.feed.tracks.first(where: { $0.kind == kind }) else {
            return
        }
        let time = MediaTime(ticks: encoder.timestamp(at: clock.now))
        let finding = ContentFinding(trackIndex: track.index, mediaTime: time, content: content)
        await send(.examined(finding), from: input)
    }

    // MARK: Operators

    func select(_ input: InputName, holds: Bool) async {
        await channel?.select(input, holds: holds)
    }

    func selectAutomatically() async {
        await channel?.selectAutomatically()
    }

    /// This machine's clock is set.
    func setClock(by milliseconds: Int64) {
        clock.step(by: MediaTime(milliseconds: milliseconds))
    }

    // MARK: Processes

    /// The packager is ended; the encoders continue.
    func shutDown(isKilled: Bool = false) async {
        if isKilled { await channel?.kill() } else { await channel?.stop() }
        events += channel?.recordedEvents ?? []
        channel = nil
    }

    /// The packager is started again and continues from its journal.
    func boot(_ settings: Settings? = nil) async throws {
        try await startProcess(settings ?? self.settings)
        await channel?.resume()
        await plugIn(channel)
    }

    /// The packager is started again and continues from its peer.
    func bootBesidePeer() async throws {
        try await startProcess(settings)
        if let peer { try await channel?.join(peer) }
        await plugIn(channel)
    }

    /// The other packager of the pair is started.
    func bootPeer() async throws {
        peer = try await RecordedChannel(settings, clock: clock, directory: directory.appending(path: "peer"), run: 0)
        await plugIn(peer)
    }

    func shutDownPeer() {
        peer = nil
    }

    private func startProcess(_ settings: Settings) async throws {
        run += 1
        channel = try await RecordedChannel(settings, clock: clock, directory: directory, run: run)
    }

    /// All encoders reach it.
    private func plugIn(_ channel: RecordedChannel?) async {
        for input in settings.inputNames {
            guard let feed = encoders[input]?.feed else { continue }
            await channel?.deliver(.opened(feed.tracks, timestampModulus: feed.timestampModulus), to: input)
        }
        guard let channel = self.channel else { return }
        viewer.lookAgain(at: channel, time: time)
        look()
    }

    // MARK: Time

    /// Lets time go by.
    func run(to milliseconds: Int64) async throws {
        let end = epoch + MediaTime(milliseconds: milliseconds)
        while true {
            let tick = epoch + MediaTime(milliseconds: ticks * Self.tickInterval)
            let arrivals = settings.inputNames.compactMap { name in
                encoders[name]?.nextArrival.map { (name: name, time: $0) }
            }
            // Of those that come together the first one in order.
            let next = arrivals.enumerated().min { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }?
                .element
            guard min(tick, next?.time ?? tick) <= end else { break }
            if let next, next.time < tick {
                clock.set(max(clock.now, next.time))
                if let event = encoders[next.name]?.next() { await send(event, from: next.name) }
            } else {
                clock.set(max(clock.now, tick))
                try await tickGoesBy()
            }
        }
        clock.set(max(clock.now, end))
    }

    private func tickGoesBy() async throws {
        ticks += 1
        await peer?.timeAdvanced()
        if let peer { try await channel?.follow(peer) }
        if let peer, ticks % 10 == 0 { await channel?.compare(with: peer) }
        await channel?.timeAdvanced()
        look()
        if let channel { viewer.lookForGone(of: channel, time: time) }
    }

    /// Reads stored feeds to their ends, as fast as it goes.
    func readToTheEnd() async {
        for input in settings.inputNames {
            while encoders[input]?.nextArrival != nil {
                if let event = encoders[input]?.next() { await send(event, from: input) }
            }
        }
    }

    private var time: String { text(of: clock.now) }

    private func text(of time: MediaTime) -> String {
        let milliseconds = (time - epoch).milliseconds
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "+\(milliseconds / 1_000).\(fraction)"
    }

    private func look() {
        if let channel { viewer.look(at: channel, time: time) }
    }

    // MARK: What is recorded

    /// All that was seen, as a golden has it.
    func finish() async throws -> String {
        await channel?.kill()
        var lines = ["== published"] + viewer.lines
        events += channel?.recordedEvents ?? []
        lines += ["", "== events"]
        // What happens at one instant happens in no order.
        lines += events.map { ($0.time, $0.text) }.sorted { $0 < $1 }.map { "\(text(of: $0)) \($1)" }
        if let channel {
            lines += ["", "== status"] + channel.status
            for (path, text) in viewer.texts(of: channel) { lines += ["", "== \(path)", text] }
        }
        let output = directory.appending(path: "output")
        if settings.hasOutput {
            await channel?.stop()
            let files = try FileManager.default.subpathsOfDirectory(atPath: output.path).filter { $0.contains(".") }
            lines += ["", "== output"] + files.sorted()
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
