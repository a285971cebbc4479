import MediaCore

/// The faults of one feed.
struct FeedSchedule: Hashable, Sendable {
    /// The faults in the order of their starts.
    let faults: [ScheduledFault]

    init(_ faults: [ScheduledFault] = []) {
        self.faults = faults.sorted { $0.start < $1.start }
    }

    /// The samples that it changes to.
    var samplePaths: [String] {
        faults.compactMap { if case .configurationChange(let path) = $0.fault { path } else { nil } }
    }

    /// The reasons why it is impossible: each fault by itself, and an encoder that is killed while it is dead.
    var problems: [String] {
        let outages = faults.filter(\.isOutage)
        let overlaps = zip(outages, outages.dropFirst())
            .filter { earlier, later in earlier.end.map { later.start < $0 } ?? true }
            .map { "\($1.fault.name) at \($1.start): the encoder is not running then" }
        return faults.compactMap(\.problem) + overlaps
    }

    /// Returns the results of `isWanted` for the faults that are active at `time`.
    func active<Value>(at time: MediaTime, _ isWanted: (Fault) -> Value?) -> [Value] {
        faults.lazy.prefix { $0.start <= time }.filter { $0.isActive(at: time) }.compactMap { isWanted($0.fault) }
    }

    /// Returns the sum of the timestamps' jumps after `start`, up to `time`.
    func jump(after start: MediaTime, until time: MediaTime) -> MediaTime {
        faults.reduce(.zero) { sum, scheduled in
            guard case .timestampJump(let step) = scheduled.fault, scheduled.start > start, scheduled.start <= time
            else { return sum }
            return sum + step
        }
    }
}

extension ScheduledFault {
    /// True if no encoder runs meanwhile.
    var isOutage: Bool {
        switch fault {
        case .encoderKilled, .restart: true
        default: false
        }
    }
}
