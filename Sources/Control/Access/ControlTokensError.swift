/// What is wrong with a list of tokens, one phrase each; nothing of a token is in them.
package struct ControlTokensError: Error, Hashable, CustomStringConvertible {
    package var problems: [String]

    init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "; ") }
}
