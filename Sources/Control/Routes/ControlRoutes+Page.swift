import HTTPServing
import NIOHTTP1

/// The operator page.
extension ControlRoutes {
    /// Answers a browser with the page, and all others with the list of routes.
    func answerRoot(_ request: ControlRequest, routes: [String]) throws -> Answer {
        // Programs accept anything, or JSON; only browsers name HTML.
        guard request.head.field("Accept")?.lowercased().contains("text/html") == true else {
            return try JSON.answer(.ok, ["routes": routes], ["Vary": "Accept"])
        }
        return answer(request, with: OperatorFile.page, ["Vary": "Accept"])
    }

    /// A file of the page.
    func answer(_ request: ControlRequest, with file: PageFile, _ additional: HTTPHeaders = [:]) -> Answer {
        var fields: HTTPHeaders = ["Content-Security-Policy": OperatorFile.contentSecurityPolicy]
        fields.add(contentsOf: additional)
        return answer(request, withStatic: file, fields)
    }

    /// Answers with a file that is the same until the program is replaced.
    func answer(_ request: ControlRequest, withStatic file: PageFile, _ additional: HTTPHeaders = [:]) -> Answer {
        var fields = AnswerFields.fields(contentType: file.contentType)
        // Browsers validate the file each time, but do not load it again.
        fields.replaceOrAdd(name: "Cache-Control", value: "no-cache")
        fields.add(name: "ETag", value: file.entityTag)
        fields.add(contentsOf: additional)
        if let field = request.head.field("If-None-Match"), EntityTag.isListed(in: field, file.entityTag) {
            // The other fields apply to the page that the browser has (RFC 9110 § 15.4.5).
            return Answer(.notModified, fields)
        }
        return .ok(fields, file.body)
    }
}
