import Fetching

/// The reason why a source has no keys, for operators, without any key or credentials.
package struct KeySourceError: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }

    /// Describes a key server's refusal, with the remedy for a redirect.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - text: The server's message; empty if there is none.
    /// - Returns: A phrase.
    static func complaint(about status: Int, _ text: String = "") -> String {
        // Credentials are for the server that is named, and not for one that it names.
        if HTTPAnswer.redirects.contains(status) {
            return "it answered \(status), and redirects are not followed: name the URL that answers in key-source"
        }
        return "it answered \(status)" + (text.isEmpty ? "" : ": \(text)")
    }
}
