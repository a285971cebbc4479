import HTTPServing
import NIOCore
import NIOHTTP1

/// An answer that is no success: a status and all that is wrong, one sentence each.
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
    /// The answer where something has gone wrong that no client can help.
    static var failure: Answer { .ok([:], ByteBuffer(), status: .internalServerError) }
}
