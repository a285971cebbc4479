import HTTPTypes
import Hummingbird
import HummingbirdCore

/// What every request passes: it keeps web pages out, and gives every answer, errors included, its form.
struct Entrance: RouterMiddleware {
    let browserGuard: BrowserGuard

    @concurrent func handle(
        _ request: Request,
        context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        let response = try await answer(to: request, context: context, next: next)
        // RFC 9110 § 9.3.2: HEAD has the fields of GET and no content; of errors, too.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        to request: Request,
        context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        let objection = browserGuard.objection(
            host: request.head.authority,
            origin: request.headers[.origin],
            site: HTTPField.Name.secFetchSite.flatMap { request.headers[$0] },
            mode: HTTPField.Name.secFetchMode.flatMap { request.headers[$0] },
            changes: request.method.changes,
            isSecure: request.head.scheme == "https"
        )
        do {
            if let objection { throw Refusal(.forbidden, [objection]) }
            return try await next(request, context)
        } catch let refusal as Refusal {
            return try refusal.response()
        } catch let error as MalformedRequest {
            return try Refusal(.badRequest, error.problems).response()
        } catch let error as HTTPError where error.status == .notFound {
            // The router knows no handler: for a method that no path has, whatever the path, that is 501 (§ 15.6.2).
            guard ControlRoutes.methods.contains(request.method) else {
                return try Refusal(.notImplemented, ["unknown method"]).response()
            }
            return try Refusal(.notFound, ["there is nothing here; GET / lists the routes"]).response()
        }
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")
    fileprivate static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")
}
