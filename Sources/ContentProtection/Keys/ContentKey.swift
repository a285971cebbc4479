package import MediaCore

/// The sixteen secret bytes that encrypt media.
///
/// No description, dump or interpolation of it shows them.
package struct ContentKey: Hashable, Sendable {
    /// The bytes themselves, for a cipher or an authorised client; never for a log.
    package var secret: Bytes16

    package init(_ secret: Bytes16) {
        self.secret = secret
    }
}

extension ContentKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ContentKey(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
