import HTTPServing
import HTTPTypes
import Hummingbird

/// The operator page.
extension ControlRoutes {
    /// To a browser the page, to all others the list of routes.
    func answerRoot(_ request: Request, routes: [String]) throws -> Response {
        // Programs ask for anything, or for JSON; only browsers name HTML.
        guard request.headers[.accept]?.lowercased().contains("text/html") == true else {
            return try JSON.response(.ok, ["routes": routes], [.vary: "Accept"])
        }
        return answer(request, with: OperatorFile.page, [.vary: "Accept"])
    }

    /// A file of the page.
    func answer(_ request: Request, with file: PageFile, _ additional: HTTPFields = [:]) -> Response {
        var fields = AnswerFields.fields(contentType: file.contentType)
        // Asked for again each time, but not sent again.
        fields[.cacheControl] = "no-cache"
        fields[.eTag] = file.entityTag
        fields[.contentSecurityPolicy] = OperatorFile.contentSecurityPolicy
        fields.append(contentsOf: additional)
        if request.headers[.ifNoneMatch]?.contains(file.entityTag) == true {
            // What else it says of the page holds for the one that the browser has (RFC 9110 § 15.4.5).
            return Response(status: .notModified, headers: fields)
        }
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: file.body))
    }
}
