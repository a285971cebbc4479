import MediaCore
import Operations

/// The answer to a post for the schedule.
struct ScheduleAnswer: Encodable {
    /// The ID of a date range.
    var id: String?
    /// The media sequence number of the first slot that has it.
    var slot: Int64?
    /// The time at which it happens; for a date range its start, or its end if it is deleted.
    var at: Timestamp?
    /// The state of a deleted date range: withdrawn, as if it had never been, or ending.
    var state: String?
    /// The reason why it is in no slot.
    var problem: String?

    private enum CodingKeys: String, CodingKey {
        case id = "ID"
        case slot, at, state, problem
    }

    /// - Parameters:
    ///   - id: The ID of a range.
    ///   - time: The time at which it was to happen, in UTC.
    ///   - outcome: The outcome.
    init(id: String? = nil, at time: MediaTime? = nil, _ outcome: ScheduleOutcome) {
        (self.id, at) = (id, time.map(Timestamp.init))
        switch outcome {
        case .slot(let number, let time): (slot, at) = (number.value, Timestamp(time))
        case .withdrawn: state = "withdrawn"
        case .refused(let reason): problem = "\(reason)"
        }
    }
}
