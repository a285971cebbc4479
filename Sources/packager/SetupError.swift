/// What keeps the program from starting and is the operator's to mend: exit code 2.
struct SetupError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }

    /// - Parameter problems: At least one.
    init(_ problems: [String]) {
        description = problems.joined(separator: "\npackager: ")
    }
}
