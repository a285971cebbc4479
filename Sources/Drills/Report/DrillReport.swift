/// A drill and what came of it.
package struct DrillReport: Hashable, Codable, Sendable {
    package var name: String
    package var description: String
    package var outcome: Outcome
    /// The reason why it was skipped or could not be carried through.
    package var reason: String?
    var checks: [Check]
    var measurements: Measurements
    /// The commands that ran, as one would type them.
    var commands: [Command]
    var record: DrillRecord

    package enum Outcome: String, Codable, Sendable {
        case passed, failed
        /// A prerequisite is missing here: nothing is proven.
        case skipped
        /// The stream was only watched: nothing was expected.
        case observed

        var title: String {
            switch self {
            case .passed: "Passed"
            case .failed: "Failed"
            case .skipped: "Skipped"
            case .observed: "Observed"
            }
        }
    }

    /// An expectation and whether it was met.
    package struct Check: Hashable, Codable, Sendable {
        var limits: MetricLimits
        /// The value in the metric's unit; nil if it could not be measured.
        package var value: Double?
        var isMet: Bool
    }

    struct Command: Hashable, Codable, Sendable {
        var part: String
        var line: String
    }

    /// Judges a record; without expectations it is only observed.
    init(
        name: String,
        description: String,
        expectations: [MetricLimits],
        commands: [Command],
        record: DrillRecord
    ) {
        let measurements = Measurements(of: record)
        self.name = name
        self.description = description
        self.measurements = measurements
        self.commands = commands
        self.record = record
        checks = expectations.map { limits in
            let value = measurements[limits.metric]
            return Check(limits: limits, value: value, isMet: limits.isMet(by: value))
        }
        outcome = checks.isEmpty ? .observed : checks.allSatisfy(\.isMet) ? .passed : .failed
    }

    /// A drill that did not take place, or not to its end.
    init(
        name: String,
        description: String,
        outcome: Outcome,
        reason: String,
        commands: [Command] = [],
        record: DrillRecord = DrillRecord(zero: "", span: Span(0, 0))
    ) {
        self.init(name: name, description: description, expectations: [], commands: commands, record: record)
        self.outcome = outcome
        self.reason = reason
    }
}
