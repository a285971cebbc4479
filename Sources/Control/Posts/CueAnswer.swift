import MediaCore
import Operations
import TimedText

/// The answer to posted cues, with one entry for each, in their order.
struct CueAnswer: Encodable {
    var cues: [Cue]

    struct Cue: Encodable {
        var start: Timestamp
        var end: Timestamp
        /// The media sequence number of the first segment that has it.
        var slot: Int64?
        /// The reason why no segment has it.
        var problem: String?
    }

    init(_ cues: [TimedCue], _ outcomes: [ScheduleOutcome]) {
        self.cues = zip(cues, outcomes).map { cue, outcome in
            var answer = Cue(start: Timestamp(cue.start), end: Timestamp(cue.end))
            switch outcome {
            case .slot(let number, let start): (answer.slot, answer.start) = (number.value, Timestamp(start))
            case .withdrawn: break
            case .refused(let reason): answer.problem = "\(reason)"
            }
            return answer
        }
    }
}
