/// Why a source has no keys, for operators: what it is about, and what was wrong; it never shows a key or credentials.
package struct KeySourceError: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
