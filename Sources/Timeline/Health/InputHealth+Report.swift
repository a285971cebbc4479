package import MediaCore

extension InputHealth {
    /// The health of an input at one time.
    package struct Report: Hashable, Sendable {
        /// 100 less what its faults cost, 0 at least.
        package var score: Int
        /// Worst first; empty at 100.
        package var reasons: [Reason]
        /// Bit/s over the last seconds.
        package var bitrate: Int
        /// Of the video track that waits longest for one; nil without video.
        package var lastKeyFrameAge: MediaTime?
        package var continuityErrors: ErrorCount
        package var timestampErrors: ErrorCount
        package var isFrozen: Bool
        package var isSilent: Bool
        package var isConnected: Bool

        /// Whether nothing comes of it.
        package var isAway: Bool { reasons.contains { [.disconnected, .stalled].contains($0.fault) } }

        /// All reasons in one line.
        package var summary: String { reasons.map(\.text).joined(separator: " ") }
    }

    /// One fault and what it costs.
    package struct Reason: Hashable, Sendable {
        var fault: Fault
        /// Points, 1 to 100.
        var deduction: Int
        /// One sentence.
        package var text: String

        package init(fault: Fault, deduction: Int, text: String) {
            self.fault = fault
            self.deduction = deduction
            self.text = text
        }
    }

    /// What can be wrong with an input; raw values are what the operator API calls them.
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        case disconnected
        case stalled
        case trackLost = "track-lost"
        case keyFrameOverdue = "key-frame-overdue"
        case continuityErrors = "continuity-errors"
        case timestampErrors = "timestamp-errors"
        case bitrateFallen = "bitrate-fallen"
        case dependentSegments = "dependent-segments"
        case frozen
        case silent
    }

    /// How often something went wrong.
    package struct ErrorCount: Hashable, Sendable {
        var lastMinute: Int
        /// Since the program started.
        package var total: Int
    }
}
