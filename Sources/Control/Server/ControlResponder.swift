import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Synchronization

/// The answers of the control API on one connection, or to the request of one stream of HTTP/2.
final class ControlResponder: Responder {
    private let router: ControlRouter
    private let access: ControlAccess
    private let audit: ControlAudit
    private let connection: ServedConnection
    /// UTC, counted from 1970.
    private let now: @Sendable () -> MediaTime
    /// The client of the present request: there is one at a time.
    private let requester = Mutex(Requester(role: .readOnly))

    init(
        router: ControlRouter,
        access: ControlAccess,
        audit: ControlAudit,
        connection: ServedConnection,
        now: @escaping @Sendable () -> MediaTime
    ) {
        self.router = router
        self.access = access
        self.audit = audit
        self.connection = connection
        self.now = now
    }

    func verdict(on request: Request) -> Verdict {
        var requester = Requester(
            address: request.clientAddress.isEmpty ? nil : request.clientAddress,
            role: .readOnly
        )
        defer { self.requester.withLock { $0 = requester } }
        do throws(Refusal) {
            requester = try access.admit(
                request,
                certificate: connection.clientCertificate.map { "certificate \($0)" },
                address: requester.address,
                at: now()
            )
            if requester.name != nil { connection.pass.recognized() }
            return try router.verdict(on: request, by: requester)
        } catch {
            // Not at once: if the rest of the request has arrived as well, the connection continues.
            return .answer(.pending { error.answer() })
        }
    }

    /// A client may no longer have the rest of a body.
    private struct NoLongerAdmitted: Error {}

    /// Ends a body if its client's token is removed or expires while it is sent.
    private func whileAdmitted(_ request: Request, _ stream: @escaping Answer.Stream) -> Answer.Stream {
        { [access, connection, now] write in
            try await stream { bytes in
                do throws(Refusal) {
                    _ = try access.admit(
                        request,
                        certificate: connection.clientCertificate,
                        address: request.clientAddress.isEmpty ? nil : request.clientAddress,
                        at: now()
                    )
                } catch {
                    throw NoLongerAdmitted()
                }
                try await write(bytes)
            }
        }
    }

    func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer {
        record(request, answer.status.code)
        var answer = answer
        BrowserFields.add(to: &answer.fields)
        // RFC 9110 § 9.3.2: HEAD has the fields of GET and no content; of errors, too.
        if request.method == .HEAD { (answer.body, answer.stream) = (ByteBuffer(), nil) }
        if let stream = answer.stream { answer.stream = whileAdmitted(request, stream) }
        return answer
    }

    func rejection(_ status: HTTPResponseStatus) -> Answer {
        let fields: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        return .ok(fields, ByteBuffer(string: status.reasonPhrase.lowercased() + "\n"), status: status)
    }

    /// Records requests that failed; successful changes are recorded by the routes.
    private func record(_ request: Request, _ code: UInt) {
        let requester = requester.withLock { $0 }
        guard code >= 400 else { return }
        let path = request.target.prefix { $0 != "?" }.prefix(256)
        let text = "\(request.method.rawValue.prefix(16)) \(path)"
        if code == 401 || code == 403 {
            audit.refused(Int(code), text, of: requester)
        } else if request.method.changes, requester.name != nil {
            audit.failed(Int(code), text, of: requester)
        }
    }
}
