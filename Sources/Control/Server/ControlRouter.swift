import HTTPServing
import NIOHTTP1

/// Finds the routes of requests, and makes all refusals that need no body.
struct ControlRouter: Sendable {
    let table: RouteTable
    private let browserGuard: BrowserGuard
    private let maximumBodyBytes: Int

    init(_ routes: ControlRoutes) {
        table = routes.table
        let configuration = routes.configuration
        browserGuard = BrowserGuard(names: [configuration.host] + configuration.names)
        maximumBodyBytes = configuration.maximumBodyBytes
    }

    /// Decides how the request of a client is answered.
    ///
    /// - Parameters:
    ///   - request: The request of the client.
    ///   - requester: The client.
    /// - Returns: The verdict.
    /// - Throws: The refusal.
    func verdict(on request: Request, by requester: Requester) throws(Refusal) -> Verdict {
        if let objection = objection(to: request) { throw Refusal(.forbidden, [objection]) }
        let (route, names) = try table.route(request.method, request.target)
        try requester.check(route.role)
        let request = ControlRequest(head: request, requester: requester, names: names)
        try route.check(request)
        if route.types.isEmpty { return .answer(.pending { await Self.answer(request, by: route) }) }
        // A page of another origin can send a form unasked, but not these types (Fetch § 2.2.2).
        guard route.types.contains(request.type) else {
            throw Refusal(
                .unsupportedMediaType,
                ["Content-Type must be \(route.types.joined(separator: " or "))"],
                fields: ["Accept": route.types.joined(separator: ", ")]
            )
        }
        return .body(limit: maximumBodyBytes) { [maximumBodyBytes] body in
            .pending {
                guard let body else {
                    return Refusal(.payloadTooLarge, ["the body is longer than \(maximumBodyBytes) bytes"]).answer()
                }
                var request = request
                request.body = body
                return await Self.answer(request, by: route)
            }
        }
    }

    /// Returns the reason why a page may not make a request; nil if it may.
    private func objection(to request: Request) -> String? {
        browserGuard.objection(
            host: request["Host"],
            origin: request.field("Origin"),
            site: request.field("Sec-Fetch-Site"),
            mode: request.field("Sec-Fetch-Mode"),
            changes: request.method.changes,
            isSecure: request.isSecure
        )
    }

    @concurrent private static func answer(_ request: ControlRequest, by route: ControlRoute) async -> Answer {
        do {
            return try await route.handler(request)
        } catch let refusal as Refusal {
            return refusal.answer()
        } catch let error as MalformedRequest {
            return Refusal(.badRequest, error.problems).answer()
        } catch {
            return .failure
        }
    }
}
