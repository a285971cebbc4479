/// What keeps the program from starting and is the operator's to mend: exit code 2.
struct SetupError: Error, CustomStringConvertible {
    /// At least one.
    let problems: [String]
    var description: String { problems.joined(separator: "\npackager: ") }

    init(_ problem: String) {
        problems = [problem]
    }

    /// - Parameter problems: At least one.
    init(_ problems: [String]) {
        self.problems = problems
    }
}
