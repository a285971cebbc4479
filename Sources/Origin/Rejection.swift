package import HTTPTypes
package import Hummingbird
package import NIOCore

/// An answer that is no success: a status and one line of text for people.
package struct Rejection: Hashable, Sendable {
    package var status: HTTPResponse.Status
    package var reason: String
    package var cacheControl: String

    /// Takes one line of text without its end, or the status's own words.
    package init(_ status: HTTPResponse.Status, _ reason: String? = nil, cacheControl: String = "no-store") {
        self.status = status
        self.reason = reason ?? status.reasonPhrase.lowercased()
        self.cacheControl = cacheControl
    }

    package var body: ByteBuffer { ByteBuffer(string: reason + "\n") }

    package var fields: HTTPFields {
        var fields = ResponseFields.fields(cacheControl: cacheControl, contentType: "text/plain; charset=utf-8")
        fields.append(HTTPField(name: .contentLength, value: String(reason.utf8.count + 1)))
        return fields
    }

    /// The whole answer, with fields that belong to the status.
    package func response(_ additional: HTTPFields = [:]) -> Response {
        var fields = fields
        fields.append(contentsOf: additional)
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }
}
