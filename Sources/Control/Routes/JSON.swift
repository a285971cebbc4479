import Foundation
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore

/// JSON as the operator face writes it: keys sorted, so that equal values are equal texts.
enum JSON {
    /// A whole answer, laid out for people.
    static func response(
        _ status: HTTPResponse.Status = .ok,
        _ value: some Encodable,
        _ additional: HTTPFields = [:]
    ) throws -> Response {
        var body = ByteBuffer(bytes: try JSONEncoder.readable.encode(value))
        body.writeString("\n")
        var fields = AnswerFields.fields(contentType: "application/json")
        fields.append(contentsOf: additional)
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }
}
