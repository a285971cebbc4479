package import HTTPServing
import NIOCore
package import NIOHTTP1

/// An answer that is no success: a status and one line of text for people.
package struct Rejection: Hashable, Sendable {
    package var status: HTTPResponseStatus
    package var reason: String
    package var cacheControl: String

    /// Takes one line of text without its end, or the status's own words.
    package init(_ status: HTTPResponseStatus, _ reason: String? = nil, cacheControl: String = "no-store") {
        self.status = status
        self.reason = reason ?? status.reasonPhrase.lowercased()
        self.cacheControl = cacheControl
    }

    /// The whole answer, with fields that belong to the status.
    package func answer(_ additional: HTTPHeaders = [:]) -> Answer {
        let body = ByteBuffer(string: reason + "\n")
        let fields = ResponseFields.fields(cacheControl: cacheControl, contentType: "text/plain; charset=utf-8")
        var answer = Answer.ok(fields, body, status: status)
        answer.fields.add(contentsOf: additional)
        return answer
    }
}
