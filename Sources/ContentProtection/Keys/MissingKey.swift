/// A segment has no content key; in the clear it is not written.
package struct MissingKey: Error, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String { "its content key is not there" }
}
