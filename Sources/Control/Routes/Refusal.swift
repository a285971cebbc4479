import HTTPServing
import NIOCore
import NIOHTTP1

/// An error answer: a status and all problems, one sentence each.
struct Refusal: Error {
    var status: HTTPResponseStatus
    var problems: [String]
    var fields: HTTPHeaders = [:]

    init(_ status: HTTPResponseStatus, _ problems: [String], fields: HTTPHeaders = [:]) {
        self.status = status
        self.problems = problems
        self.fields = fields
    }

    func answer() -> Answer { (try? JSON.answer(status, ["problems": problems], fields)) ?? .failure }
}

extension Answer {
    /// The answer to an internal error.
    static var failure: Answer { .ok([:], ByteBuffer(), status: .internalServerError) }
}
