/// The reason why a source has no keys, for operators, without any key or credentials.
package struct KeySourceError: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
