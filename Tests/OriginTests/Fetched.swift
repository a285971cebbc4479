import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

@testable import Origin

/// An answer as a client understands it.
struct Fetched {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: ByteBuffer

    init(_ answer: Answer) {
        status = HTTPResponse.Status(code: Int(answer.status.code), reasonPhrase: answer.status.reasonPhrase)
        headers = HTTPFields(answer.fields, splitCookie: false)
        body = answer.body
    }
}

extension OriginServer {
    /// Asks without a connection.
    ///
    /// What waits for a channel to begin is refused at once.
    func fetch(
        _ uri: String,
        _ method: HTTPRequest.Method = .get,
        _ headers: HTTPFields = [:],
        body: String? = nil
    ) -> Fetched {
        let request = OriginRequest(
            HTTPMethod(rawValue: method.rawValue),
            uri,
            HTTPHeaders(headers),
            body: body.map { ByteBuffer(string: $0) } ?? ByteBuffer()
        )
        let answer =
            switch responder.reply(to: request) {
            case .answer(let answer): answer
            case .work(let work), .reading(let work): work()
            case .waiting(_, let answer): answer
            case .pending: Rejection(.serviceUnavailable, "this takes an event loop").answer()
            }
        return Fetched(responder.finish(answer, request, duration: .zero))
    }
}
