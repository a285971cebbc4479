/// A key of a set that verifies no token, and why; it never shows the key.
package struct UnusableTokenKey: Hashable, Sendable, CustomStringConvertible {
    /// The key's `kid`, or its index in the set.
    package var name: String
    package var reason: String

    package var description: String { "\(name) (\(reason))" }
}

extension String {
    /// The name, shortened and escaped: others have chosen it, and it must not forge or break a line of a log.
    var legible: String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(64).map { (0x21...0x7E).contains($0.value) ? $0 : "?" }))
    }
}
