/// Counts viewers, the clients that asked for media lately, and what their players say of themselves.
///
/// A viewer is known by a hash: of the session that its player names, or else of its address and user agent, since a player
/// opens several connections and several players may share an address. The memory is bounded: beyond ``capacity`` viewers
/// the count stays there, whatever new names come.
struct ViewerCensus: ~Copyable {
    /// Viewers that are told apart.
    static let capacity = 65_536
    /// Seconds after its last request that a viewer still counts.
    static let memory: Int64 = 30
    /// Seconds for which it counts that a viewer ran out of media.
    static let stallMemory: Int64 = 60

    private struct Viewer {
        var channel: String
        var lastSeen: Int64
        var lastStall: Int64?
        var reports = false
        // As CTA-5004 has them; less than zero for what was not said.
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
    /// By channel, as they were when they were counted last.
    private var counted: [String: Audience] = [:]
    private var lastCounted: Int64 = .min

    init() {}

    /// A viewer asked for something.
    ///
    /// - Parameters:
    ///   - viewer: Its hash, which is another one for each channel.
    ///   - channel: Of which.
    ///   - report: What its player says.
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

    /// By channel, those that have had any viewers.
    mutating func audiences(now: Int64) -> [String: Audience] {
        prune(now)
        return counted
    }

    /// Forgets who has gone, and counts those who have not.
    private mutating func prune(_ now: Int64) {
        // Not more than once a second: neither a crowd above the capacity nor whoever asks for the count may make each of
        // their requests cost a full pass.
        guard now > lastCounted else { return }
        lastCounted = now
        viewers = viewers.filter { _, viewer in
            now - viewer.lastSeen < Self.memory || viewer.lastStall.map { now - $0 < Self.stallMemory } ?? false
        }
        var sums: [String: Sum] = [:]
        for viewer in viewers.values { sums[viewer.channel, default: Sum()].add(viewer, now) }
        for channel in counted.keys where sums[channel] == nil { sums[channel] = Sum() }
        counted = sums.mapValues(\.audience)
        for (channel, count) in stalls { counted[channel, default: Audience()].stalls = count }
    }

    /// An audience in the making.
    private struct Sum {
        private(set) var audience = Audience()
        private var buffers = Mean()
        private var rates = Mean()
        private var throughputs = Mean()

        private struct Mean {
            private var sum = 0.0
            private var count = 0.0

            /// - Returns: The mean with this value, if it is one.
            mutating func add(_ value: Int32) -> Double? {
                if value >= 0 { (sum, count) = (sum + Double(value), count + 1) }
                return count > 0 ? sum / count : nil
            }
        }

        mutating func add(_ viewer: Viewer, _ now: Int64) {
            if let stall = viewer.lastStall, now - stall < ViewerCensus.stallMemory { audience.stalled += 1 }
            guard now - viewer.lastSeen < ViewerCensus.memory else { return }
            audience.viewers += 1
            guard viewer.reports else { return }
            audience.reporting += 1
            audience.bufferLength = buffers.add(viewer.bufferLength)
            let hasRate = viewer.videoRate >= 0 || viewer.audioRate >= 0
            audience.bitRate = rates.add(hasRate ? max(0, viewer.videoRate) + max(0, viewer.audioRate) : -1)
            audience.throughput = throughputs.add(viewer.throughput)
        }
    }
}
