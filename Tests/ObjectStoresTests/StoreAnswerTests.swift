import Fetching
import MediaCore
import NIOCore
import NIOHTTP1
import Testing

@testable import ObjectStores

/// The answers of stores, in words.
@Suite struct StoreAnswerTests {
    /// 2015-08-30T12:36:00Z.
    private static let now = MediaTime(seconds: 1_440_938_160)

    private static func answer(_ status: Int, _ code: String? = nil, _ fields: HTTPHeaders = [:]) -> HTTPAnswer {
        let body = code.map { "<?xml version=\"1.0\"?><Error><Code>\($0)</Code><Resource>/b/k</Resource></Error>" }
        return HTTPAnswer(status: status, fields: fields, body: ByteBuffer(string: body ?? ""))
    }

    @Test(
        arguments: [
            (403, "AccessDenied", StoreProblem.forbidden(status: 403, code: "AccessDenied")),
            (401, nil, .forbidden(status: 401, code: nil)),
            (404, "NoSuchBucket", .absent(status: 404, code: "NoSuchBucket")),
            (409, nil, .absent(status: 409, code: nil)),
            (409, "ConditionalRequestConflict", .busy(status: 409, code: "ConditionalRequestConflict")),
            (500, "InternalError", .busy(status: 500, code: "InternalError")),
            (503, "SlowDown", .busy(status: 503, code: "SlowDown")), (429, nil, .busy(status: 429, code: nil)),
            (400, "ExpiredToken", .credentials("the access key has expired (ExpiredToken)")),
            (400, "BadDigest", .refused(status: 400, code: "BadDigest")), (413, nil, .refused(status: 413, code: nil)),
            (501, "NotImplemented", .refused(status: 501, code: "NotImplemented")),
            (302, nil, .elsewhere(status: 302, code: nil)),
            (301, "PermanentRedirect", .elsewhere(status: 301, code: "PermanentRedirect")),
            (400, "AuthorizationHeaderMalformed", .elsewhere(status: 400, code: "AuthorizationHeaderMalformed")),
            (400, "RequestTimeout", .busy(status: 400, code: "RequestTimeout")),
        ] as [(Int, String?, StoreProblem)]
    )
    func refusalsAreTold(status: Int, code: String?, problem: StoreProblem) {
        let answer = StoreAnswer(toPut: Self.answer(status, code), now: Self.now)
        #expect(answer == .failed(problem, retryAfter: nil))
        #expect(!problem.description.isEmpty && !problem.remedy.isEmpty && StoreProblem.words.contains(problem.word))
    }

    @Test(arguments: [
        ("Sun, 30 Aug 2015 12:36:00 GMT", "0 s ahead of"), ("Sun, 30 Aug 2015 12:11:00 GMT", "1500 s ahead of"),
        ("Sun, 30 Aug 2015 13:36:00 GMT", "3600 s behind"),
    ])
    func clocksThatDifferAreToldInWords(date: String, words: String) {
        let fields: HTTPHeaders = ["Date": date]
        let answer = StoreAnswer(toPut: Self.answer(403, "RequestTimeTooSkewed", fields), now: Self.now)
        #expect(
            answer.problem?.description
                == "the clock of this machine is \(words) that of the store (RequestTimeTooSkewed)"
        )
        #expect(answer.problem?.remedy.contains("NTP") == true)
    }

    @Test func anAnswerWithoutCodeShowsTheClockToo() {
        let fields: HTTPHeaders = ["Date": "Sun, 30 Aug 2015 13:36:00 GMT"]
        let answer = StoreAnswer(toDelete: Self.answer(403, nil, fields), now: Self.now)
        #expect(answer == .failed(.clock(ahead: -3600), retryAfter: nil))
        let silent = StoreAnswer(toPut: Self.answer(403, "RequestTimeTooSkewed"), now: Self.now)
        #expect(silent == .failed(.clock(ahead: nil), retryAfter: nil))
    }

    @Test(arguments: [("5", 5), ("0", 0), ("-1", 0), ("86400", 60)])
    func aStoreMayAskForALimitedPause(text: String, seconds: Int) {
        let answer = StoreAnswer(toPut: Self.answer(503, "SlowDown", ["Retry-After": text]), now: Self.now)
        #expect(answer == .failed(.busy(status: 503, code: "SlowDown"), retryAfter: .seconds(seconds)))
    }

    @Test func codesAreShortWords() {
        for body in ["<Code><b>x</b></Code>", "<Code>\(String(repeating: "x", count: 65))</Code>", "<Code>a b</Code>"] {
            let answer = HTTPAnswer(status: 403, body: ByteBuffer(string: body))
            #expect(StoreAnswer(toPut: answer, now: Self.now).problem == .forbidden(status: 403, code: nil))
        }
    }

    @Test func whatIsThereIsTold() {
        let found = Self.answer(200, nil, ["Content-Length": "7"])
        #expect(StoreAnswer(toHead: found, byteCount: 7, now: Self.now) == .alreadyThere)
        #expect(StoreAnswer(toHead: found, byteCount: 8, now: Self.now) == .missing)
        // S3 answers 403 if the client may not list the bucket, and some servers answer only PUT and DELETE.
        for status in [403, 404, 405, 410, 501] {
            #expect(StoreAnswer(toHead: Self.answer(status), byteCount: 8, now: Self.now) == .missing)
        }
        #expect(StoreAnswer(toPut: Self.answer(412), now: Self.now) == .alreadyThere)
        #expect(StoreAnswer(toPut: Self.answer(204), now: Self.now) == .done)
        #expect(StoreAnswer(toDelete: Self.answer(404), now: Self.now) == .done)
    }
}
