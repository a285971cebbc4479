import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// JSON as the operator face writes it: keys sorted, so that equal values are equal texts.
enum JSON {
    /// On one line.
    static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// A whole answer, laid out for people.
    static func response(
        _ status: HTTPResponse.Status = .ok,
        _ value: some Encodable,
        _ additional: HTTPFields = [:]
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        var body = ByteBuffer(bytes: try encoder.encode(value))
        body.writeString("\n")
        var fields = AnswerFields.fields(contentType: "application/json")
        fields.append(contentsOf: additional)
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }
}
