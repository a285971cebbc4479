import HTTPServing
import NIOCore
import NIOHTTP1

@testable import Control

extension ControlServer {
    /// Asks without a connection, as a client of some role, whose host is `localhost`.
    func fetch(
        _ uri: String,
        _ method: HTTPMethod = .GET,
        _ fields: HTTPHeaders = [:],
        body: ByteBuffer = ByteBuffer(),
        as requester: Requester = Requester(role: .administrator)
    ) async -> Answer {
        var request = Request(method, uri, fields)
        request.fields.add(name: "Host", value: "localhost")
        var answer = await answer(to: request, body, requester)
        if method == .HEAD { (answer.body, answer.stream) = (ByteBuffer(), nil) }
        return answer
    }

    private func answer(to request: Request, _ body: ByteBuffer, _ requester: Requester) async -> Answer {
        do throws(Refusal) {
            let reply =
                switch try router.verdict(on: request, by: requester) {
                case .answer(let reply): reply
                case .body(let limit, let reply): reply(body.readableBytes <= limit ? body : nil)
                }
            guard case .pending(let work) = reply else { return .failure }
            return await work()
        } catch {
            return error.answer()
        }
    }
}
