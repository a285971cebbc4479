import MediaCore

/// An encoder, its feed and the network up to the channel, on the simulated clock.
struct Encoder {
    /// Makes of a packet, and UTC of its presentation, what is sent of it; nil if nothing is.
    typealias Edit = @Sendable (Packet, MediaTime) -> Packet?

    /// The time from a picture to its arrival, where nothing holds it up.
    static let latency = MediaTime(seconds: 1)

    let feed: Feed
    /// The time when the feed began to arrive, in UTC.
    let start: MediaTime
    let loops: Bool
    /// The timestamp of the feed's first picture, in ticks.
    var base: Int64
    /// The parts per million by which its timestamps run faster than UTC.
    var drift: Int64 = 0
    var edit: Edit = { packet, _ in packet }
    /// Nothing comes through before; then all at once.
    var stalledUntil = MediaTime.zero
    private var round: Int64 = 0
    private var index = 0

    /// - Parameters:
    ///   - feed: What it sends.
    ///   - start: When that began to arrive, in UTC.
    ///   - base: The timestamp of the feed's first picture; nil for UTC.
    ///   - loops: Whether it starts over.
    init(_ feed: Feed, start: MediaTime, base: Int64?, loops: Bool) {
        self.feed = feed
        self.start = start
        self.base = base ?? (start - Self.latency).ticks
        self.loops = loops
    }

    /// The time when the next packet arrives, or the end does; nil once it has ended.
    var nextArrival: MediaTime? {
        if round > 0, !loops { return nil }
        return max(dueTime, stalledUntil)
    }

    private var dueTime: MediaTime {
        let time = index < feed.packets.count ? feed.packets[index].time : feed.length
        return start + feed.length * round + time
    }

    /// Leaves out what came before.
    mutating func skip(to time: MediaTime) {
        while dueTime < time, loops || round == 0 { advance() }
    }

    /// The next packet as it arrives; nil if the feed has come to its end, or a packet is not sent.
    mutating func next() -> FeedEvent? {
        defer { advance() }
        guard index < feed.packets.count else { return loops ? nil : .ended }
        let played = feed.length * round + feed.packets[index].time
        let shift = base + (feed.length * round).ticks + played.ticks * drift / 1_000_000
        let utc = start - Self.latency + feed.length * round
        let shown = MediaTime(ticks: feed.packets[index].info.presentationTimestamp ?? 0)
        guard let packet = edit(feed.packets[index], utc + shown) else { return nil }
        var info = packet.info
        info.presentationTimestamp = info.presentationTimestamp.map { wrapped($0 + shift) }
        info.decodeTimestamp = info.decodeTimestamp.map { wrapped($0 + shift) }
        return .received(info, packet.bytes)
    }

    /// A timestamp of the feed that stands for a time on its timeline.
    func timestamp(at time: MediaTime) -> Int64 { wrapped((time - start).ticks + base) }

    private func wrapped(_ timestamp: Int64) -> Int64 {
        guard let modulus = feed.timestampModulus else { return timestamp }
        let rest = timestamp % modulus
        return rest < 0 ? rest + modulus : rest
    }

    private mutating func advance() {
        index += 1
        if index > feed.packets.count || index == feed.packets.count && loops { (round, index) = (round + 1, 0) }
    }
}
