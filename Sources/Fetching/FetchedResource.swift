package import MediaCore
package import NIOCore

/// A resource as an origin answered it.
package struct FetchedResource: Hashable, Sendable {
    /// The URL at which it was found at last: relative references in it start from here (RFC 3986 § 5.1.3).
    package var url: String
    package var body: ByteBuffer
    /// The origin's clock when it answered, to the second (RFC 9110 § 6.6.1); nil if it does not say.
    package var date: MediaTime?
    /// True if it came over HTTP/2 or later; nil if that is not known.
    package var isMultiplexed: Bool?

    package init(url: String, body: ByteBuffer, date: MediaTime? = nil, isMultiplexed: Bool? = nil) {
        (self.url, self.body, self.date, self.isMultiplexed) = (url, body, date, isMultiplexed)
    }

    /// The body read as UTF-8.
    package var text: String { String(buffer: body) }
}
