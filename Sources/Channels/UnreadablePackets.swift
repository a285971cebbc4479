/// Decides which unreadable packets of a track are faults of the feed.
///
/// A feed that runs already is joined between its key frames, and the packets of video up to the next one cannot be
/// read. Where the codec of a track changes, packets of the new one come before the tables that announce it.
struct UnreadablePackets: Hashable, Sendable {
    /// True for video of a live feed.
    private let mayJoin: Bool
    private var hasRead = false
    /// The number of unreadable packets in a row.
    private var count = 0

    /// The packets before the first readable one that are no fault: those of 10 s at 60 pictures per second.
    static let mostBeforeStart = 600
    /// The packets in a row after which their codec counts as one that is not carried.
    static let leastForCodec = 10

    /// The verdict on an unreadable packet.
    enum Verdict: Hashable, Sendable {
        /// The feed is being joined.
        case joining
        /// The packet is a fault.
        case fault
        /// All packets are such faults.
        case lasting
    }

    /// - Parameter mayJoin: True for video of a live feed.
    init(mayJoin: Bool) { self.mayJoin = mayJoin }

    /// Notes a packet with units.
    mutating func read() { (hasRead, count) = (true, 0) }

    /// Notes a packet that cannot be read.
    mutating func verdict() -> Verdict {
        count = min(count + 1, Self.mostBeforeStart + 1)
        if hasRead { return count >= Self.leastForCodec ? .lasting : .fault }
        return mayJoin && count <= Self.mostBeforeStart ? .joining : .lasting
    }
}
