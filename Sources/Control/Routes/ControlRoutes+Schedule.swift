import Foundation
import HTTPTypes
import Hummingbird
import MediaCore
import Operations
import Playlists

/// What people and programs want on air.
extension ControlRoutes {
    /// Answers `POST /channels/NAME/cues`.
    func show(_ request: Request, _ context: ControlContext) async throws -> Response {
        let channel = try channel(context)
        let (type, body) = try await body(of: request, types: ["application/json", "text/vtt"])
        let now = now()
        let earliest = channel.earliest(at: now)
        let command =
            type == "text/vtt"
            ? try CueCommand(webVTT: body, target: request.head.path ?? "", now: earliest)
            : try CueCommand(json: body, now: earliest)
        try command.check(languages: channel.subtitleLanguages)
        return try await accept([command.content], by: channel, at: now, for: context.requester) {
            CueAnswer(command.cues, $0)
        }
    }

    /// Answers `GET /channels/NAME/dateranges`.
    func dateRanges(_ context: ControlContext) throws -> Response {
        let (listed, planned) = try channel(context).dateRanges
        let records =
            listed.map { DateRangeRecord($0, state: "listed") }
            + planned.map { DateRangeRecord($0, state: "planned") }
        return try JSON.response(.ok, [DateRangeCommand.plural: records])
    }

    /// Answers `POST /channels/NAME/dateranges`, `…/splices` and `…/metadata`.
    func post<Command: PostedCommand>(
        _ type: Command.Type,
        _ request: Request,
        _ context: ControlContext
    ) async throws -> Response {
        let channel = try channel(context)
        let (_, body) = try await body(of: request)
        let now = now()
        let commands = try Command.posted(json: body, now: channel.earliest(at: now))
        return try await accept(commands.map(\.content), by: channel, at: now, for: context.requester) { outcomes in
            [Command.plural: zip(commands, outcomes).map { $0.answer($1) }]
        }
    }

    /// Answers `PATCH /channels/NAME/dateranges/ID`.
    func updateDateRange(_ request: Request, _ context: ControlContext) async throws -> Response {
        let (channel, id) = (try channel(context), try rangeID(context))
        let (_, body) = try await body(of: request)
        let now = now()
        let command = try DateRangeCommand(json: body, updating: id, now: channel.earliest(at: now))
        return try await accept([.update(command.range)], by: channel, at: now, for: context.requester) { outcomes in
            outcomes.map { ScheduleAnswer(id: id, $0) }.first
        }
    }

    /// Answers `DELETE /channels/NAME/dateranges/ID`.
    func removeDateRange(_ context: ControlContext) async throws -> Response {
        let (channel, id, now) = (try channel(context), try rangeID(context), now())
        return try await accept([.withdrawal(id: id, start: now)], by: channel, at: now, for: context.requester) {
            outcomes in
            var answer = outcomes.map { ScheduleAnswer(id: id, $0) }.first
            if answer?.slot != nil { answer?.state = "ends" }
            return answer
        }
    }

    /// Puts something on air, and says what becomes of it: where some of it is refused and some is not, each says so.
    private func accept(
        _ contents: [ScheduleAction.Content],
        by channel: any OperatedChannel,
        at now: MediaTime,
        for requester: Requester,
        _ body: ([ScheduleOutcome]) -> some Encodable
    ) async throws -> Response {
        let acceptance = await channel.accept(contents, at: now)
        audit.changed(channel.name, by: requester, contents, acceptance.outcomes)
        let outcomes = acceptance.outcomes.flatMap(\.self)
        return try JSON.response(Self.status(of: outcomes), AcceptanceAnswer(body(outcomes), acceptance))
    }

    private func rangeID(_ context: ControlContext) throws -> String {
        guard let id = context.parameters.get("id")?.removingPercentEncoding, !id.isEmpty else {
            throw Refusal(.notFound, ["the path names no range"])
        }
        return id
    }

    /// Success where anything was accepted: each says what becomes of it.
    private static func status(of outcomes: [ScheduleOutcome]) -> HTTPResponse.Status {
        guard outcomes.allSatisfy(\.isRefusal) else { return .ok }
        guard outcomes.count == 1, case .refused(let reason)? = outcomes.first else { return .unprocessableContent }
        return reason.isOfUnknown ? .notFound : reason.isConflict ? .conflict : .unprocessableContent
    }
}
