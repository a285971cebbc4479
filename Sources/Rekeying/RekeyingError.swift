/// The reason why a recording cannot be rekeyed: the file or playlist, and one phrase.
package struct RekeyingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file below the recording, or the directory.
    package var path: String
    package var reason: String

    init(_ path: String, _ reason: String) {
        self.path = path
        self.reason = reason
    }

    package var description: String { "\(path): \(reason)" }
}
