import MediaCore
import Operations

/// What whoever wants something on air is told of it.
struct ScheduleAnswer: Encodable {
    /// Of a range.
    var id: String?
    /// The media sequence number of the first slot that has it.
    var slot: Int64?
    /// When it happens; of a range its date, or where it is deleted the one at which it ends.
    var at: Timestamp?
    /// What has become of a range that was deleted: it never was, or it ends.
    var state: String?
    /// Why it is in no slot.
    var problem: String?

    private enum CodingKeys: String, CodingKey {
        case id = "ID"
        case slot, at, state, problem
    }

    /// - Parameters:
    ///   - id: Of a range.
    ///   - time: When it was meant to happen, in UTC.
    ///   - outcome: What has become of it.
    init(id: String? = nil, at time: MediaTime? = nil, _ outcome: ScheduleOutcome) {
        (self.id, at) = (id, time.map(Timestamp.init))
        switch outcome {
        case .slot(let number, let time): (slot, at) = (number.value, Timestamp(time))
        case .withdrawn: state = "withdrawn"
        case .refused(let reason): problem = "\(reason)"
        }
    }
}
