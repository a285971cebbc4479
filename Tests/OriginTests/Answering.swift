import HTTPServing
import NIOCore
import NIOHTTP1

@testable import Origin

extension OriginServer {
    /// Asks without a connection.
    func fetch(
        _ uri: String,
        _ method: HTTPMethod = .GET,
        _ fields: HTTPHeaders = [:],
        body: String = ""
    ) -> Answer {
        responder.answer(to: Request(method, uri, fields), ByteBuffer(string: body))
    }
}

extension OriginResponder {
    /// Answers a request without an event loop.
    ///
    /// Requests that would wait are answered with what there is.
    func answer(to request: Request, _ body: ByteBuffer = ByteBuffer()) -> Answer {
        let answer =
            switch reply(to: request, body) {
            case .answer(let answer): answer
            case .work(let work), .reading(_, let work): work()
            case .waiting(let waiting): waiting.immediate
            case .pending, .asking: Rejection(.serviceUnavailable, "this takes an event loop").answer()
            }
        return finish(answer, request, duration: .zero)
    }

    /// Answers a request that waits for a disk on the threads that are for it, if they have time.
    func read(_ target: String, _ method: HTTPMethod = .GET) async -> Answer {
        let request = Request(method, target)
        guard case .reading(let readers, let work) = reply(to: request) else { return answer(to: request) }
        let made = try? await readers.run(for: request.network, work)
        return finish(made ?? busy, request, duration: .zero)
    }

    func reply(to request: Request, _ body: ByteBuffer = ByteBuffer()) -> Reply {
        switch verdict(on: request) {
        case .answer(let reply): reply
        case .body(_, let reply): reply(body)
        }
    }
}

extension Waiting {
    /// The answer without waiting.
    fileprivate var immediate: Answer {
        if case .answer(let answer) = reply() { answer } else { Rejection(.internalServerError).answer() }
    }
}
