/// Counts viewers, the clients that requested media lately, and adds up the reports of their players.
///
/// A viewer is identified by a hash of the session that its player names, or else of its address and user agent. A
/// player opens several connections, and several players may share an address. There are several counters, each of some
/// of the viewers, so that counting blocks no request for long. The memory is bounded: the count ends at ``capacity``.
struct ViewerCounter: ~Copyable {
    /// The most viewers of one counter; all of them together count 65,536.
    static let capacity = 1_024
    /// Seconds after its last request that a viewer still counts.
    static let memory: Int64 = 30
    /// Seconds for which it counts that a viewer ran out of media.
    static let stallMemory: Int64 = 60

    fileprivate struct Viewer {
        var channel: String
        var lastSeen: Int64
        var lastStall: Int64?
        var reports = false
        // Values of CTA-5004; negative if unknown.
        var bufferLength: Int32 = -1
        var videoRate: Int32 = -1
        var audioRate: Int32 = -1
        var throughput: Int32 = -1

        mutating func requested(_ report: CMCD?, _ now: Int64) {
            lastSeen = now
            guard let report else { return }
            reports = true
            if let value = report.bufferLength { bufferLength = Int32(value) }
            if let value = report.videoRate { videoRate = Int32(value) }
            if let value = report.audioRate { audioRate = Int32(value) }
            if let value = report.throughput { throughput = Int32(value) }
            if report.isStarved { lastStall = now }
        }
    }

    private var viewers: [Int: Viewer] = [:]
    private var stalls: [String: Int] = [:]
    /// The sums of each channel, as of the last count.
    private var counted: [String: AudienceSum] = [:]
    private var lastCounted: Int64 = .min

    init() {}

    /// Takes a request of a viewer.
    ///
    /// - Parameters:
    ///   - viewer: Its hash, which is another one for each channel.
    ///   - channel: The requested channel.
    ///   - report: The player's report.
    ///   - now: Seconds of a clock that never goes back.
    mutating func requested(by viewer: Int, of channel: String, _ report: CMCD? = nil, now: Int64) {
        if let index = viewers.index(forKey: viewer) {
            viewers.values[index].requested(report, now)
        } else {
            if viewers.count >= Self.capacity { prune(now) }
            if viewers.count >= Self.capacity { return }
            var new = Viewer(channel: channel, lastSeen: now)
            new.requested(report, now)
            viewers[viewer] = new
        }
        if report?.isStarved == true { stalls[channel, default: 0] += 1 }
    }

    /// The sums of each channel that has had any viewers.
    mutating func sums(now: Int64) -> [String: AudienceSum] {
        prune(now)
        return counted
    }

    /// Forgets viewers who have gone, and counts the others.
    private mutating func prune(_ now: Int64) {
        // Not more than once a second: neither viewers above the capacity nor requests for the count may cost a full
        // pass each.
        guard now > lastCounted else { return }
        lastCounted = now
        viewers = viewers.filter { _, viewer in viewer.counts(now) || viewer.isStalled(now) }
        var sums = counted.mapValues { _ in AudienceSum() }
        for viewer in viewers.values { sums[viewer.channel, default: AudienceSum()].add(viewer, now) }
        for (channel, count) in stalls { sums[channel, default: AudienceSum()].stalls = count }
        counted = sums
    }
}

extension ViewerCounter.Viewer {
    fileprivate func counts(_ now: Int64) -> Bool { now - lastSeen < ViewerCounter.memory }

    fileprivate func isStalled(_ now: Int64) -> Bool {
        lastStall.map { now - $0 < ViewerCounter.stallMemory } ?? false
    }
}

extension AudienceSum {
    fileprivate mutating func add(_ viewer: ViewerCounter.Viewer, _ now: Int64) {
        if viewer.isStalled(now) { stalled += 1 }
        guard viewer.counts(now) else { return }
        viewers += 1
        guard viewer.reports else { return }
        reporting += 1
        bufferLength.add(viewer.bufferLength)
        let hasRate = viewer.videoRate >= 0 || viewer.audioRate >= 0
        bitRate.add(hasRate ? max(0, viewer.videoRate) + max(0, viewer.audioRate) : -1)
        throughput.add(viewer.throughput)
    }
}
