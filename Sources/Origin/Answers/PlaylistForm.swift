import MediaCore
import NIOCore
import Presentation

/// The text of a playlist in the form in which it is sent.
struct PlaylistForm: Sendable {
    let body: ByteBuffer
    /// The entity tag, with its quotes.
    let entityTag: String
    let isCompressed: Bool

    init(body: ByteBuffer, entityTag: String, isCompressed: Bool) {
        (self.body, self.entityTag, self.isCompressed) = (body, entityTag, isCompressed)
    }

    /// The plain text.
    init(_ text: ByteBuffer) {
        self.init(body: text, entityTag: ContentHash.whole(of: text).entityTag, isCompressed: false)
    }

    /// A compressed text.
    ///
    /// - Parameters:
    ///   - gzip: The text as gzip (RFC 1952).
    ///   - hash: The hash of the text, or of its compressed form.
    init(gzip: ByteBuffer, _ hash: ContentHash) {
        self.init(body: gzip, entityTag: "\"\(hash)-gzip\"", isCompressed: true)
    }
}
