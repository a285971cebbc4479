/// The source of advertisements for breaks.
package enum AdSourceLocation: Hashable, Sendable {
    /// A directory of advertisements.
    case files(String)
    /// A program that is run for each break, and its arguments.
    case command([String])
    /// A server that answers in VAST.
    case server(AddressTemplate)

    /// The name before the colon.
    package var kind: String {
        switch self {
        case .files: "files"
        case .command: "command"
        case .server: "vast"
        }
    }
}
