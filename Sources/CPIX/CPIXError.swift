/// A fault of a CPIX document, with its place and without any key.
package struct CPIXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The element or attribute, such as `CPIX/ContentKeyList/ContentKey[2]@explicitIV`; `line 3` if there is no tree.
    package var place: String
    package var message: String

    init(_ place: String, _ message: String) {
        self.place = place
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}
