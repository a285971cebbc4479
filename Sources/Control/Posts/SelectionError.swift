/// The reason why an input was not selected.
package enum SelectionError: Error, Hashable, CustomStringConvertible {
    /// The channel does not have that input, but these.
    case unknownInput(String, known: [String])

    package var description: String {
        switch self {
        case .unknownInput(let input, let known):
            "there is no input \"\(input)\"; inputs: \(known.joined(separator: ", "))"
        }
    }
}
