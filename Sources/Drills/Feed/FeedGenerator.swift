import MediaCore

/// Everything that arrives of one encoder's feed, and when: a pure function of its configuration and of UTC.
///
/// An encoder that starts later sends the same access units at the same times as one that runs on. Only continuity
/// counters, the places of tables and the division into datagrams count from its start.
struct FeedGenerator: Sendable {
    private let configuration: FeedConfiguration
    /// The source timeline's time at the drill's start.
    private let source: MediaTime
    private var lives: ArraySlice<EncoderLife>
    private var events: ArraySlice<FeedEvent>
    private var faults: TransportFaults
    /// The multiplexer of the encoder that lives.
    private var multiplexer: FeedMultiplexer?
    /// The packets that do not fill a datagram yet.
    private var packets: [UInt8] = []
    private var items: ArraySlice<FeedItem> = []

    /// Starts an encoder.
    ///
    /// - Parameters:
    ///   - configuration: The feed that it encodes.
    ///   - utc: UTC at the drill's start.
    ///   - start: The time when the encoder starts, since the drill's start. Outages that began before that are over.
    init(_ configuration: FeedConfiguration, utc: MediaTime, from start: MediaTime = .zero) {
        self.configuration = configuration
        source = configuration.clock == .utc ? utc : .zero
        var chance = SplitMix64(seed: configuration.seed)
        faults = TransportFaults(configuration.schedule, seed: chance.next())
        let lives = EncoderLife.lives(in: configuration.schedule, from: start, chance: &chance)
        self.lives = lives[...]
        events = FeedEvent.events(of: configuration.schedule, lives: lives).filter { $0.time >= start }[...]
    }

    /// Returns the next item in order of time; nil once there never will be one.
    mutating func next() -> FeedItem? {
        while items.isEmpty {
            guard let packet = nextPacket() else { return events.popFirst().map(FeedItem.event) }
            send(packet)
        }
        if let event = events.first, let item = items.first, event.time <= item.time {
            events.removeFirst()
            return .event(event)
        }
        return items.popFirst()
    }

    private mutating func send(_ packet: TimedPacket) {
        guard faults.passes(packet) else {
            items = [.dropped(faults.arrivalTime(of: packet.time))]
            return
        }
        packets += packet.bytes
        guard packets.count == Datagram.size else { return }
        let arrivals = faults.arrivals(of: Datagram(time: packet.time, bytes: packets))
        packets.removeAll(keepingCapacity: true)
        items = arrivals.map(FeedItem.datagram)[...]
        if items.isEmpty { items = [.dropped(faults.arrivalTime(of: packet.time))] }
    }

    private mutating func nextPacket() -> TimedPacket? {
        while true {
            if let packet = multiplexer?.next() { return packet }
            multiplexer = nil
            // Unsent packets are lost with the encoder.
            packets.removeAll(keepingCapacity: true)
            guard let life = lives.popFirst() else { return nil }
            let offset = timestampOffset(of: life)
            multiplexer = FeedMultiplexer(
                EncoderRun(configuration, source: source, from: life.start, until: life.end, timestampOffset: offset)
            )
        }
    }

    /// The time that is added to the source timeline to make timestamps of it.
    private func timestampOffset(of life: EncoderLife) -> MediaTime {
        if case .timestamp(let timestamp) = life.base { return MediaTime(ticks: timestamp) - source - life.start }
        if let wrap = configuration.schedule.faults.first(where: { $0.fault == .timestampWrap }) {
            // Units that are decoded then are sent that much later.
            return configuration.delay - source - wrap.start
        }
        return switch configuration.clock {
        case .utc: .zero
        case .starting(let timestamp): MediaTime(ticks: timestamp)
        }
    }
}
