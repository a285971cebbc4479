import MediaCore

/// The present problems of a recording, and the decision to report them.
package struct RecordingHealth: Hashable, Sendable {
    private var problems = OpenProblems<RecordingProblem>()

    package init() {}

    package var isHealthy: Bool { problems.isEmpty }
    /// The first problem in the order of their names; nil if there is none.
    package var problem: String? { problems.first?.reason }

    /// Notes the result of a call.
    ///
    /// - Parameters:
    ///   - problem: The problem that the call may have.
    ///   - reason: The reason; nil for a success.
    /// - Returns: The event to report; nil if there is none.
    mutating func noted(_ problem: RecordingProblem, reason: String?) -> RecordingEvent? {
        switch problems.noted(problem, reason: reason) {
        case .began(let reason): .began(problem, reason: reason)
        case .ended: .ended(problem)
        case nil: nil
        }
    }
}

/// Counts since the start.
package struct RecordingStatistics: Hashable, Sendable {
    /// Slots that were recorded.
    package var written = 0
    /// Slots that could not be recorded.
    package var unwritten = 0
    /// Slots that viewers had before they were recorded, although the recording comes first.
    package var late = 0
    /// Slots, or renditions of slots, that were filled in later.
    package var filled = 0
    /// Blocks that were removed by age or size.
    package var removedBlocks = 0
    /// Blocks that were removed because the disk was full.
    package var shedBlocks = 0
    /// Slots of those blocks.
    package var shedSlots = 0
    /// Bytes of all blocks at the last measurement.
    package var byteCount = 0
}
