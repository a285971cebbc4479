import MediaCore

/// The datagrams of a feed that have come and that its reader has not taken yet.
///
/// The struct decides which datagrams are taken and which notices follow; ``DatagramFeed`` has the socket and the
/// threads.
struct DatagramArrivals {
    private(set) var batch = DatagramBatch()
    /// The reader of RTP packets; nil if the datagrams are the feed's bytes.
    private(set) var rtp: RTPReader?
    /// The number of datagrams that the socket has dropped since it was opened, modulo 2^32, as the kernel counts them.
    var socketDrops: UInt32 = 0 {
        didSet { losses.socket += Int(socketDrops &- oldValue) }
    }
    /// Finds the ends of PES packets, for which a prompt reader is woken; nil if any byte wakes it.
    private var ends: PESEnds?
    /// True if a reader can use the bytes that have come.
    private var hasEnd = false
    /// True if the feed is to break off, since more has come than may wait.
    private(set) var hasOverflowed = false

    /// Bytes that wait at most, and datagrams: as many as packets of a transport stream fit in these bytes.
    private let most: (bytes: Int, datagrams: Int)
    private let endsAtOverflow: Bool
    private var filter: SenderFilter
    private var watch = SenderWatch()
    /// The sender of the first packet of the source that is read, if the feed is RTP.
    private var sender: String?
    private var losses = DatagramLosses()
    /// The RTP reader's counts at the last report.
    private var reportedCounts = RTPReader.Counts()
    private var reportedAt: Int64?
    private var notices: [InputNotice] = []

    /// Nanoseconds between two notices of losses.
    private static let interval: Int64 = 10_000_000_000
    /// Nanoseconds after which a datagram is due in which no PES packet ends.
    ///
    /// The reader of a feed that pauses looks by itself, every 100 ms.
    private static let longestWait: Int64 = 18_000_000
    /// Notices that wait for the reader; beyond them there is no news.
    private static let mostNotices = 8

    /// - Parameters:
    ///   - address: The port, and the options for reading it.
    ///   - allowed: The allowed senders; empty for any.
    ///   - isPrompt: True if the socket is read often, and the reader is only woken for data that a demuxer can use.
    init(_ address: DatagramAddress, allowed: [AddressRange], isPrompt: Bool = false) {
        ends = isPrompt ? PESEnds() : nil
        rtp = address.form == .rtp ? RTPReader(mostWaiting: address.reorderedPackets) : nil
        most = (address.waitingByteCount, address.waitingByteCount / 188)
        endsAtOverflow = address.endsAtOverflow
        filter = SenderFilter(admitting: [allowed, address.sources], but: address.blocked)
    }

    /// Takes a datagram, unless its sender may not send any or too much waits.
    ///
    /// - Parameters:
    ///   - datagram: Its bytes.
    ///   - place: The address and port that it came from.
    ///   - arrival: The time at which it came, in nanoseconds of the monotonic clock.
    mutating func take(_ datagram: RawSpan, from place: SocketEndpoint, at arrival: Int64) {
        guard let name = filter.name(ofAdmitted: place) else { return }
        guard batch.bytes.count + datagram.byteCount <= most.bytes, batch.datagrams.count < most.datagrams else {
            losses.reader += 1
            hasOverflowed = hasOverflowed || endsAtOverflow
            return
        }
        let count = batch.bytes.count
        defer { noteBytes(from: count) }
        guard rtp != nil else {
            heard(name, at: arrival)
            return batch.append(datagram, at: arrival)
        }
        let (source, others) = (rtp?.source, rtp?.counts.ofOthers)
        rtp?.read(datagram, at: arrival, into: &batch)
        // The packets of one source may come over several networks, each from an address of its own.
        if rtp?.source != source {
            sender = name
            heard(name, at: arrival)
        } else if rtp?.counts.ofOthers != others {
            heard(name, at: arrival)
        } else if watch.isInDoubt, let sender {
            heard(sender, at: arrival)
        }
    }

    /// Notes bytes that were appended to the batch.
    private mutating func noteBytes(from count: Int) {
        guard batch.bytes.count > count else { return }
        guard var ends = self.ends.take() else {
            hasEnd = true
            return
        }
        let isFound = ends.pass(unsafe batch.bytes.span.bytes.extracting(droppingFirst: count))
        self.ends = ends
        hasEnd = isFound || hasEnd
    }

    private mutating func heard(_ sender: String, at time: Int64) {
        guard let finding = watch.received(from: sender, at: time), notices.count < Self.mostNotices else { return }
        switch finding {
        case .changed(let before, let now): notices.append(.senderChanged(from: before, to: now))
        case .several(let one, let other): notices.append(.severalSenders(one, other))
        }
    }

    /// Returns true if the reader should take the bytes that have come.
    ///
    /// - Parameter time: The time by the monotonic clock, in nanoseconds.
    /// - Returns: True if it can use some of them, or if they have waited long enough.
    func isDue(at time: Int64) -> Bool {
        guard let first = batch.datagrams.first else { return false }
        return hasEnd || time - first.arrival >= Self.longestWait
    }

    /// Gives the reader the batch that has come, and takes its empty one.
    mutating func exchange(with cursor: inout DatagramCursor) {
        cursor.exchange(with: &batch)
        hasEnd = false
    }

    /// Takes the news for the operator of the channel.
    ///
    /// - Parameters:
    ///   - time: The time by the monotonic clock, in nanoseconds.
    ///   - isLast: True if nothing is taken after this, so that losses do not wait for the end of their interval.
    /// - Returns: News that was not taken before.
    mutating func takeNotices(at time: Int64, isLast: Bool = false) -> [InputNotice] {
        if !isLast, let reportedAt, time - reportedAt < Self.interval { return takeFindings() }
        if let counts = rtp?.counts {
            losses.network += counts.lost - reportedCounts.lost
            losses.reordered += counts.reordered - reportedCounts.reordered
            reportedCounts = counts
        }
        guard losses != DatagramLosses() else { return takeFindings() }
        reportedAt = time
        defer { losses = DatagramLosses() }
        return takeFindings() + [.datagramsLost(losses)]
    }

    private mutating func takeFindings() -> [InputNotice] {
        if notices.isEmpty { return [] }
        defer { notices = [] }
        return notices
    }
}
