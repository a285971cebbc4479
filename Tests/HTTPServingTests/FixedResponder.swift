import MediaCore
import NIOCore
import NIOHTTP1

@testable import HTTPServing

/// Decides about every request in the same way.
final class FixedResponder: Responder {
    private let verdict: Verdict
    private let prepared: PreparedAnswer?

    init(_ verdict: Verdict, prepared: PreparedAnswer? = nil) {
        (self.verdict, self.prepared) = (verdict, prepared)
    }

    func verdict(on request: Request) -> Verdict { verdict }

    func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer { answer }

    func prepared(for get: PlainGet) -> PreparedAnswer? { prepared }

    func rejection(_ status: HTTPResponseStatus) -> Answer { .ok([:], ByteBuffer(), status: status) }
}

extension Answer {
    static func text(_ text: String, _ status: HTTPResponseStatus = .ok) -> Answer {
        .ok([:], ByteBuffer(string: text), status: status)
    }
}

extension PreparedAnswer {
    static func text(_ text: String) -> PreparedAnswer {
        let answer = Answer.text(text)
        return PreparedAnswer(PreparedAnswer.Head(answer), body: answer.body, time: .zero)
    }
}

extension RequestHandler {
    static func answering(_ verdict: Verdict, _ pass: ConnectionGate.Pass) -> Self {
        answering(FixedResponder(verdict), pass)
    }

    static func answering(
        _ responder: FixedResponder,
        _ pass: ConnectionGate.Pass,
        isSecure: Bool = false,
        idle: Duration = .seconds(75)
    ) -> Self {
        Self(
            responder: responder,
            connection: ServedConnection(pass: pass, isSecure: isSecure),
            configuration: HTTPServer.Configuration(
                host: "127.0.0.1",
                port: 0,
                limits: .init(total: 1, perAddress: 1),
                timeouts: ConnectionTimeouts(
                    idle: idle,
                    write: .seconds(60),
                    linger: .seconds(5),
                    shutdown: .seconds(10)
                ),
                maximumHeadBytes: 16_384,
                maximumBodyBytes: 65_536
            ),
            date: DateField(),
            now: { .zero }
        )
    }
}
