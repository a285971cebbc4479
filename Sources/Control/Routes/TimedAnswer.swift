import MediaCore
import Scheduling

/// What becomes of something that happens at one moment.
struct TimedAnswer: Encodable {
    var at: Timestamp
    /// The media sequence number of the slot that it is in.
    var slot: Int64?
    /// Why it is in none.
    var problem: String?

    init(_ time: MediaTime, _ outcome: ScheduleOutcome) {
        at = Timestamp(time)
        switch outcome {
        case .slot(let number, let time): (slot, at) = (number.value, Timestamp(time))
        case .withdrawn: break
        case .refused(let reason): problem = "\(reason)"
        }
    }
}
