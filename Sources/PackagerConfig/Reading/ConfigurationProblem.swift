/// A mistake in a configuration, or a notice about it.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    package var origin: SettingOrigin
    /// A sentence with the problem and the allowed values.
    package var message: String
    /// True if it is nothing but a value that the control API may not set.
    package var isForbidden = false

    package init(origin: SettingOrigin, message: String, isForbidden: Bool = false) {
        self.origin = origin
        self.message = message
        self.isForbidden = isForbidden
    }

    /// Returns true if another one says the same of the same setting, which may have been in another line.
    package func repeats(_ other: Self) -> Bool {
        message == other.message && origin.isOfSameSetting(as: other.origin)
    }

    package var description: String { origin == .process ? message : "\(origin): \(message)" }
}

/// The mistakes in a configuration.
package struct ConfigurationProblems: Error, Hashable, CustomStringConvertible {
    /// The problems, at least one.
    package var problems: [ConfigurationProblem]

    /// - Parameter problems: At least one.
    package init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// A headline, then a line for each problem.
    package var description: String {
        let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
        return (["the configuration has \(count):"] + problems.map { "  \($0)" }).joined(separator: "\n")
    }
}
