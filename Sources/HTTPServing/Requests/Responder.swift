package import NIOHTTP1

/// The answers to the requests of a listener, or of one connection.
///
/// A `RequestHandler` calls it on the event loop of a connection, so it must not take locks that are held for long.
package protocol Responder: AnyObject, Sendable {
    /// Decides how a request is answered whose head was read.
    func verdict(on request: Request) -> Verdict

    /// The answer as it is sent, `duration` after the request was read: each passes through here once.
    func finish(_ answer: Answer, _ request: Request, duration: Duration) -> Answer

    /// The answer, ready to send, to bytes that are no request, or to a request that never ends.
    func rejection(_ status: HTTPResponseStatus) -> Answer

    /// The answer in place of one whose readers have too much to do.
    var busy: Answer { get }

    /// The answer to a request that was read without a parser; nil if the other functions must answer it.
    ///
    /// It is counted and logged as they do.
    func prepared(for get: PlainGet) -> PreparedAnswer?
}

extension Responder {
    package var busy: Answer { Answer(.serviceUnavailable, ["Content-Length": "0", "Retry-After": "1"]) }

    package func prepared(for get: PlainGet) -> PreparedAnswer? { nil }
}
