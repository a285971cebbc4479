import Fetching
import MediaCore
import NIOCore
import NIOHTTP1

/// The result of a request to a store.
enum StoreAnswer: Hashable, Sendable {
    case done
    /// The store has the object already: another member of the pair was first, or an earlier process.
    case alreadyThere
    case missing
    /// - Parameter retryAfter: The pause that the store asks for.
    case failed(StoreProblem, retryAfter: Duration?)

    /// The problem; nil if there is none.
    var problem: StoreProblem? { if case .failed(let problem, _) = self { problem } else { nil } }

    /// The longest pause that a store may ask for.
    private static let longestPause = 60
    /// The difference of clocks that S3 accepts, in seconds.
    private static let largestSkew: Int64 = 900

    /// Reads the answer to PUT.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - now: The time of this machine, in UTC.
    init(toPut answer: HTTPAnswer, now: MediaTime) {
        switch answer.status {
        case 200...299: self = .done
        // The condition was that there is no such object (RFC 9110 § 15.5.13).
        case 412: self = .alreadyThere
        default: self = Self.failure(answer, now)
        }
    }

    /// Reads the answer to HEAD.
    init(toHead answer: HTTPAnswer, byteCount: Int, now: MediaTime) {
        switch answer.status {
        case 200...299:
            let length = answer.fields.first(name: "Content-Length").flatMap { Int($0) }
            self = length == byteCount ? .alreadyThere : .missing
        // S3 answers 403 for a missing object if the client may not list the bucket, and some servers answer only PUT
        // and DELETE (405 and 501, RFC 9110 § 15). The next request shows if more is refused.
        case 403, 404, 405, 410, 501: self = .missing
        default: self = Self.failure(answer, now)
        }
    }

    /// Reads the answer to DELETE.
    ///
    /// A missing object counts as deleted.
    init(toDelete answer: HTTPAnswer, now: MediaTime) {
        switch answer.status {
        case 200...299, 404, 410: self = .done
        default: self = Self.failure(answer, now)
        }
    }

    private static func failure(_ answer: HTTPAnswer, _ now: MediaTime) -> StoreAnswer {
        let code = errorCode(in: answer.body)
        let seconds = answer.fields.first(name: "Retry-After").flatMap { Int($0) }
        return .failed(
            problem(answer.status, code, ahead: answer.date.map { now - $0 }),
            retryAfter: seconds.map { .seconds(min(max(0, $0), longestPause)) }
        )
    }

    private static func problem(_ status: Int, _ code: String?, ahead: MediaTime?) -> StoreProblem {
        let seconds = ahead.map { $0.milliseconds / 1000 }
        switch (status, code) {
        case (_, "RequestTimeTooSkewed"): return .clock(ahead: seconds)
        // An answer to HEAD has no code.
        case (403, nil) where seconds.map { abs($0) >= largestSkew } ?? false: return .clock(ahead: seconds)
        case (_, "ExpiredToken"), (_, "TokenRefreshRequired"), (_, "InvalidToken"):
            return .credentials("the access key has expired (\(code ?? ""))")
        case (401, _), (403, _): return .forbidden(status: status, code: code)
        case (301, _), (302, _), (307, _), (308, _), (400, "AuthorizationHeaderMalformed"?):
            return .elsewhere(status: status, code: code)
        case (404, _), (409, nil), (409, "NoSuchBucket"): return .absent(status: status, code: code)
        // The other member of the pair is writing it (S3: ConditionalRequestConflict).
        case (400, "RequestTimeout"?), (408, _), (409, _), (425, _), (429, _), (500, _), (502...504, _):
            return .busy(status: status, code: code)
        default: return .refused(status: status, code: code)
        }
    }

    /// The code of an S3 error, such as `<Code>SlowDown</Code>`; nil for anything else.
    private static func errorCode(in body: ByteBuffer) -> String? {
        String(buffer: body).firstMatch(of: /<Code>([A-Za-z0-9.]{1,64})<\/Code>/).map { String($0.1) }
    }
}
