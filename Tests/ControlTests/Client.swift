import Hummingbird

@testable import Control

/// Sends requests to the routes of a server as a client of some role.
struct Client: HTTPResponder {
    private let server: ControlServer
    private let requester: Requester

    init(of server: ControlServer, as requester: Requester = Requester(role: .administrator)) {
        (self.server, self.requester) = (server, requester)
    }

    @concurrent func respond(to request: Request, context: ControlContext) async throws -> Response {
        var context = context
        context.requester = requester
        return try await server.router.respond(to: request, context: context)
    }
}
