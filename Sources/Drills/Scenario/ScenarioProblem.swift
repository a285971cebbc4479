/// A mistake in a scenario file.
struct ScenarioProblem: Hashable, Sendable, CustomStringConvertible {
    var file: String
    /// The number of the line, from 1 on.
    var line: Int
    var message: String

    var description: String { "\(file):\(line): \(message)" }
}

/// The mistakes in a scenario file, in the order of its lines.
package struct ScenarioProblems: Error, Hashable, CustomStringConvertible {
    /// The problems, at least one.
    var problems: [ScenarioProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
