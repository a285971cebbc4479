import HTTPTypes
import Hummingbird

/// The choice of the input that is on air.
extension ControlRoutes {
    /// Answers `POST /channels/NAME/select`.
    func select(_ request: Request, _ context: ControlContext) async throws -> Response {
        let channel = try channel(context)
        let (_, body) = try await body(of: request)
        let before = channel.status(at: now())
        let command = try SelectionCommand(json: body, inputs: before.inputs.map(\.name))
        let client = context.requester.description
        switch command {
        case .automatic: await channel.selectAutomatically(by: client)
        case .select(let input, let hold):
            do {
                try await channel.select(input: input, hold: hold, by: client)
            } catch {
                throw Refusal(.badRequest, [error.description])
            }
        }
        audit.changed(channel.name, by: context.requester, from: before.selection, to: command)
        return try JSON.response(.ok, channel.status(at: now()).selection)
    }
}
