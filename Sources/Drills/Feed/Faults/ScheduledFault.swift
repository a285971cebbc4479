import MediaCore

/// A fault, when it comes, and for how long.
struct ScheduledFault: Hashable, Sendable {
    var fault: Fault
    /// The time since the start of the drill.
    var start: MediaTime
    /// The duration; nil if the fault never ends or is instantaneous.
    var duration: MediaTime?

    init(_ fault: Fault, at start: MediaTime, for duration: MediaTime? = nil) {
        self.fault = fault
        self.start = start
        self.duration = duration
    }

    var end: MediaTime? { duration.map { start + $0 } }

    func isActive(at time: MediaTime) -> Bool {
        start <= time && end.map { time < $0 } ?? true
    }

    /// The reason why the fault is impossible, for the scenario's author; nil if it is possible.
    var problem: String? {
        if start < .zero { return "\(fault.name) starts before the drill" }
        if let duration, duration <= .zero { return "\(fault.name) has no duration" }
        switch fault {
        case .loss(let rate, _), .reordering(let rate, _), .duplication(let rate):
            if !(0...1).contains(rate) { return "\(fault.name): a rate is between 0 and 1, not \(rate)" }
        default: break
        }
        switch fault {
        case .stall, .restart:
            if duration == nil { return "\(fault.name) needs a duration" }
        case .timestampJump, .timestampWrap:
            if duration != nil { return "\(fault.name) happens at one moment: it takes no duration" }
        case .reordering(_, let distance):
            if !(1...1000).contains(distance) { return "\(fault.name): a distance is between 1 and 1000" }
        case .clockDrift(let partsPerMillion):
            if !Fault.drifts.contains(partsPerMillion) {
                return
                    "\(fault.name): an encoder runs at half to twice the speed of time, not at \(partsPerMillion) ppm"
            }
        case .audioLost(let track?):
            if track < 0 { return "\(fault.name): tracks count from 0" }
        default: break
        }
        return nil
    }
}
