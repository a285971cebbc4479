/// One thing that is wrong with a scenario file.
package struct ScenarioProblem: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1 on.
    package var line: Int
    var message: String

    package var description: String { "\(file):\(line): \(message)" }
}

/// All that is wrong with a scenario file, at once, in the order of its lines.
package struct ScenarioProblems: Error, Hashable, CustomStringConvertible {
    /// At least one.
    var problems: [ScenarioProblem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
