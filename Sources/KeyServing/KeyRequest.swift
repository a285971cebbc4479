package import MediaCore
package import NIOCore

/// The parts of a request for keys that the answer depends on.
package struct KeyRequest: Sendable {
    package enum Subject: Sendable {
        /// The sixteen bytes of one key.
        case key(KeyID)
        /// A licence of W3C's Clear Key system, for the keys in the body.
        case clearKey(ByteBuffer)
        /// Content key contexts for the server playback contexts in the body.
        case fairPlay(ByteBuffer, contentType: String?, isPersistent: Bool)
    }

    package var subject: Subject
    package var channel: String
    /// The token that the viewer has shown; never for a log.
    package var token: String?
    /// Tells its sender's address from others.
    package var address: Int

    package init(_ subject: Subject, channel: String, token: String?, address: Int) {
        self.subject = subject
        self.channel = channel
        self.token = token
        self.address = address
    }
}
