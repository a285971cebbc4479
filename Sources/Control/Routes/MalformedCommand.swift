/// Everything that is wrong with what was posted.
struct MalformedCommand: Error, Hashable {
    var problems: [String]

    init(_ problems: [String]) {
        self.problems = problems
    }

    init(_ problem: String) {
        problems = [problem]
    }
}
