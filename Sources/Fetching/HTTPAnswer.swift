package import MediaCore
package import NIOCore
package import NIOHTTP1

/// A server's answer, whatever its status.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var fields: HTTPHeaders
    package var body: ByteBuffer

    package init(status: Int, fields: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// The server's clock when it answered, to the second (RFC 9110 § 6.6.1); nil if it does not say.
    package var date: MediaTime? { fields.first(name: "date").flatMap(MediaTime.init(httpDate:)) }
}
