import Foundation
package import MediaCore
package import NIOCore
package import NIOHTTP1

/// A server's answer, with any status.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var fields: HTTPHeaders
    package var body: ByteBuffer

    package init(status: Int, fields: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }

    /// The statuses of redirects.
    package static let redirects: Set = [301, 302, 303, 307, 308]

    /// Finds the target of a redirect (RFC 9110 § 15.4).
    ///
    /// - Parameter url: The requested URL.
    /// - Returns: The next URL; nil if the answer is not a redirect.
    package func redirect(from url: String) -> String? {
        guard Self.redirects.contains(status), let location = fields.first(name: "Location") else {
            return nil
        }
        return URL(string: location, relativeTo: URL(string: url))?.absoluteString
    }

    /// The server's clock when it answered, to the second (RFC 9110 § 6.6.1); nil if it does not say.
    package var date: MediaTime? { fields.first(name: "date").flatMap(MediaTime.init(httpDate:)) }
}
