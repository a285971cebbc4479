package import NIOCore

/// A resource as an origin answered it.
package struct FetchedResource: Hashable, Sendable {
    /// Where it was found at last: relative references in it start from here (RFC 3986 § 5.1.3).
    package var url: String
    package var body: ByteBuffer

    /// The body read as UTF-8.
    package var text: String { String(buffer: body) }

    package init(url: String, body: ByteBuffer) {
        self.url = url
        self.body = body
    }
}
