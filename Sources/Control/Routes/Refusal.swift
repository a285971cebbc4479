import HTTPTypes
import Hummingbird

/// An answer that is no success: a status and all that is wrong, one sentence each.
struct Refusal: Error {
    var status: HTTPResponse.Status
    var problems: [String]
    var fields: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ problems: [String], fields: HTTPFields = [:]) {
        self.status = status
        self.problems = problems
        self.fields = fields
    }

    func response() throws -> Response {
        try JSON.response(status, ["problems": problems], fields)
    }

    /// RFC 9110 § 9.3.2: HEAD has the fields of GET and no content; of errors, too.
    func response(to request: Request) throws -> Response {
        request.method == .head ? try response().createHeadResponse() : try response()
    }
}
