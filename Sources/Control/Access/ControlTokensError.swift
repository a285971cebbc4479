/// The problems of a list of tokens, one phrase each, without any part of a token.
package struct ControlTokensError: Error, Hashable, CustomStringConvertible {
    package var problems: [String]

    init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "; ") }
}
