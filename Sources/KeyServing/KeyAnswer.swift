import Foundation
import MediaCore
package import NIOCore

/// The answer to a request for keys.
package struct KeyAnswer: Sendable {
    /// The status code of HTTP.
    package var status: Int
    package var contentType: String
    package var body: ByteBuffer
    /// Seconds after which asking again makes sense; nil if it does not.
    package var retryAfter: Int?
    /// The seconds for which a key may be used before the next request; nil if there is no limit.
    package var leaseSeconds: UInt32?

    init(_ body: ByteBuffer, contentType: String, status: Int = 200, retryAfter: Int? = nil) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.retryAfter = retryAfter
    }

    /// The answer to a request that is longer than one can be.
    package static var oversized: Self { Self(.oversized) }

    /// Creates the JSON answer of a refusal: `{"error":"token-expired","fatal":true,"message":"the token has
    /// expired"}`.
    init(_ refusal: KeyRefusal) {
        let json = try? JSONEncoder.canonical.encode(KeyRefusal.Document(refusal))
        self.init(
            ByteBuffer(bytes: json ?? Data()),
            contentType: "application/json",
            status: refusal.status,
            retryAfter: refusal.retryAfter
        )
    }
}

extension KeyAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "KeyAnswer(\(status), redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
