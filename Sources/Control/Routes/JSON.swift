import Foundation
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1

/// JSON of the control API, with sorted keys, so that equal values are equal texts.
enum JSON {
    /// A whole answer, formatted for people.
    static func answer(
        _ status: HTTPResponseStatus = .ok,
        _ value: some Encodable,
        _ additional: HTTPHeaders = [:]
    ) throws -> Answer {
        var body = ByteBuffer(bytes: try JSONEncoder.readable.encode(value))
        body.writeString("\n")
        var fields = AnswerFields.fields(contentType: "application/json")
        fields.add(contentsOf: additional)
        return .ok(fields, body, status: status)
    }
}
