import MediaCore
import NIOCore
import NIOHTTP1

@testable import HTTPServing

/// Decides about every request in the same way.
final class FixedResponder: Responder {
    private let verdict: Verdict

    init(_ verdict: Verdict) {
        self.verdict = verdict
    }

    func verdict(on request: Request) -> Verdict { verdict }

    func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer { answer }

    func rejection(_ status: HTTPResponseStatus) -> Answer { .ok([:], ByteBuffer(), status: status) }
}

extension Answer {
    static func text(_ text: String, _ status: HTTPResponseStatus = .ok) -> Answer {
        .ok([:], ByteBuffer(string: text), status: status)
    }
}

extension RequestHandler {
    static func answering(_ verdict: Verdict, on kind: ServedConnection.Kind, _ pass: ConnectionGate.Pass) -> Self {
        Self(
            responder: FixedResponder(verdict),
            connection: ServedConnection(kind: kind, pass: pass, isSecure: false),
            configuration: HTTPServer.Configuration(
                host: "127.0.0.1",
                port: 0,
                limits: .init(total: 1, perAddress: 1),
                timeouts: ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10)),
                maximumHeadBytes: 16_384,
                maximumBodyBytes: 65_536
            ),
            date: DateField(),
            now: { .zero }
        )
    }
}
