import HTTPServing
import NIOHTTP1

/// The choice of the input that is on air.
extension ControlRoutes {
    /// Answers `POST /channels/NAME/select`.
    func select(_ request: ControlRequest) async throws -> Answer {
        let channel = try channel(request)
        let before = channel.status(at: now())
        let command = try SelectionCommand(json: request.body, inputs: before.inputs.map(\.name))
        let client = request.requester.description
        switch command {
        case .automatic: await channel.selectAutomatically(by: client)
        case .select(let input, let hold):
            do {
                try await channel.select(input: input, hold: hold, by: client)
            } catch {
                throw Refusal(.badRequest, [error.description])
            }
        }
        audit.changed(channel.name, by: request.requester, from: before.selection, to: command)
        return try JSON.answer(.ok, channel.status(at: now()).selection)
    }
}
