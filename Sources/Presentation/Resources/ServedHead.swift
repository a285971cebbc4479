/// The head of the answers that a server sends with some bytes, which it makes once.
package final class ServedHead: Sendable {
    /// The forms in which it is sent, which the server knows.
    package let forms: any AnyObject & Sendable
    /// The number that the server counts the answers under.
    package let kind: Int

    package init(_ forms: any AnyObject & Sendable, kind: Int) {
        (self.forms, self.kind) = (forms, kind)
    }

    /// The place of a head beside the bytes that it belongs to; looking at it takes no lock.
    package final class Place: Sendable {
        private let made = Once<ServedHead>()

        /// Returns the head, and makes it the first time.
        ///
        /// - Parameter make: Makes it; nil if the bytes are not to be sent that way.
        /// - Returns: The head, the same for all callers once it is made.
        package func made(_ make: () -> ServedHead?) -> ServedHead? {
            if let head = made.load() { return head }
            guard let head = make() else { return nil }
            return made.storeIfNil(head)
        }
    }
}
