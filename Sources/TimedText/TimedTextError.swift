/// The reason why a document cannot be read at all.
package struct TimedTextError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
