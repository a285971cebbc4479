import MediaCore
import Operations
import Playlists
import Timeline

@testable import Segmenting

/// An engine that hears of encoders what they make, as time goes by.
struct EncodedChannel {
    var engine: ChannelEngine
    var encoders: [EngineEncoder]
    private var packets: [(input: InputID, packet: EngineEncoder.Packet)] = []
    /// The indices of encoders that are dead.
    private var dead: Set<Int> = []
    private(set) var now: MediaTime
    private(set) var slots: [ChannelEngine.SlotDecision] = []
    private(set) var parts: [ChannelEngine.PartDecision] = []
    private(set) var declared: [RenditionDescription] = []

    /// - Parameters:
    ///   - encoders: An input's, and perhaps its backup's.
    ///   - event: What the engine hears before it hears of them.
    ///   - start: When that is, in UTC.
    ///   - clock: The clock of the channel.
    ///   - horizon: The horizon of the channel.
    ///   - format: The container of its video and audio.
    init(
        _ encoders: [EngineEncoder],
        after event: ChannelEngine.Event? = nil,
        at start: MediaTime = EngineRun.start,
        clock: ClockSource = .pts,
        horizon: CommitHorizon = .slot,
        format: StreamFormat = .fmp4
    ) {
        var configuration = EngineRun.configuration(clock, horizon)
        configuration.backupCount = encoders.count - 1
        configuration.format = format
        engine = ChannelEngine(configuration: configuration)
        self.encoders = encoders
        now = start
        if let event { handle(event) }
        for encoder in encoders { handle(.added(encoder.input, .live)) }
        for encoder in encoders { open(encoder) }
    }

    private mutating func open(_ encoder: EngineEncoder) {
        handle(.opened(encoder.input, encoder.tracks))
        handle(.began(encoder.input, encoder.tracks, timestampModulus: EngineEncoder.modulus))
    }

    mutating func handle(_ event: ChannelEngine.Event) {
        for action in engine.handle(event, at: ClockReading(utc: now, wallClock: now)) {
            switch action {
            case .publish(let slots):
                declared = slots.last?.renditions ?? declared
                self.slots += slots
            case .publishPart(let part): parts.append(part)
            default: break
            }
        }
    }

    /// Another process takes over, and gets what arrives from now on.
    mutating func upgrade() {
        let (window, placements) = (newest, engine.placements)
        engine = ChannelEngine(configuration: engine.configuration)
        if let window { handle(.resumed(window)) }
        for encoder in encoders { handle(.added(encoder.input, .live)) }
        handle(.inherited(placements, isRepeated: false))
        for index in encoders.indices where !dead.contains(index) { open(encoders[index]) }
    }

    /// An encoder dies.
    mutating func lose(_ index: Int) {
        dead.insert(index)
        packets.removeAll { $0.input == encoders[index].input }
        handle(.lost(encoders[index].input, reason: "end of file"))
    }

    /// A dead encoder connects again, and its packets take that long to arrive.
    mutating func reconnect(_ index: Int, latency: MediaTime) {
        dead.remove(index)
        encoders[index].latency = latency
        open(encoders[index])
    }

    /// An encoder's programme has other tracks from now on.
    mutating func change(_ index: Int, _ change: (inout EngineEncoder) -> Void) {
        change(&encoders[index])
        open(encoders[index])
    }

    mutating func go(on seconds: Int64) {
        let end = now + MediaTime(seconds: seconds)
        while now < end {
            now = now + MediaTime(milliseconds: 200)
            for index in encoders.indices {
                let made = encoders[index].packets(until: now)
                if !dead.contains(index) { packets += made.map { (encoders[index].input, $0) } }
            }
            packets.sort { $0.packet.arrival < $1.packet.arrival }
            while let (input, packet) = packets.first, packet.arrival <= now {
                packets.removeFirst()
                handle(.packet(input, packet.packet))
            }
            handle(.timeAdvanced([]))
        }
    }

    /// Returns the shift of an encoder's input.
    func shift(of index: Int) -> MediaTime { engine.inputs[engine.feed(encoders[index].input)].shift }

    /// The newest slots, as viewers have them.
    var newest: PublishedWindow? {
        slots.last.map { slot in
            let edges = slot.segments.map { segment in
                let cut = segment.contents.cut
                let end = cut.end.media.value(timescale: cut.timescale)
                let edge = PublishedWindow.Edge(
                    start: cut.start.utc,
                    end: end,
                    timescale: cut.timescale,
                    isGap: cut.isGap,
                    selection: cut.selection
                )
                return (segment.id, edge)
            }
            var window = PublishedWindow(
                newest: slot.number,
                renditions: declared,
                edges: Dictionary(uniqueKeysWithValues: edges),
                expires: nil
            )
            window.open = openSlotParts(after: slot.number)
            return window
        }
    }

    /// The parts of slots that are not over.
    private func openSlotParts(after number: MediaSequenceNumber) -> [RenditionID: [PublishedWindow.OpenSlotParts]] {
        let open = Dictionary(grouping: parts.filter { $0.cut.number > number }, by: \.id)
        return open.mapValues { parts in
            Dictionary(grouping: parts, by: \.cut.number).sorted { $0.key < $1.key }.map { number, parts in
                PublishedWindow.OpenSlotParts(
                    number: number,
                    durations: parts.map { SegmentDuration(value: $0.cut.duration, timescale: $0.cut.timescale) },
                    mediaCount: parts.prefix { !$0.cut.isGap }.count,
                    startsDiscontinuity: parts[0].startsDiscontinuity
                )
            }
        }
    }

    /// The inputs that have taken over from others, as operators read it.
    var switches: [String] {
        slots.flatMap(\.notes).compactMap { report in
            if case .record(let event) = report, event.kind == .switched { event.input } else { nil }
        }
    }

    var gaps: [Bool] { slots.map { $0.segments.contains { $0.contents.cut.isGap } } }
}
