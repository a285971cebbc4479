import HTTPServing
import MediaCore
import NIOHTTP1
import Operations
import Playlists

/// Posts of what people and programs want on air.
extension ControlRoutes {
    /// Answers `POST /channels/NAME/cues`.
    func show(_ request: ControlRequest) async throws -> Answer {
        let channel = try channel(request)
        let now = now()
        let earliest = channel.earliest(at: now)
        let command =
            request.type == "text/vtt"
            ? try CueCommand(webVTT: request.body, target: request.head.target, now: earliest)
            : try CueCommand(json: request.body, now: earliest)
        try command.check(languages: channel.subtitleLanguages)
        return try await accept([command.content], by: channel, at: now, for: request.requester) {
            CueAnswer(command.cues, $0)
        }
    }

    /// Answers `GET /channels/NAME/dateranges`.
    func dateRanges(_ request: ControlRequest) throws -> Answer {
        let (listed, planned) = try channel(request).dateRanges
        let records =
            listed.map { DateRangeRecord($0, state: "listed") }
            + planned.map { DateRangeRecord($0, state: "planned") }
        return try JSON.answer(.ok, [DateRangeCommand.plural: records])
    }

    /// Answers `POST /channels/NAME/dateranges`, `…/splices` and `…/metadata`.
    func post<Command: PostedCommand>(
        _ type: Command.Type,
        _ request: ControlRequest
    ) async throws -> Answer {
        let channel = try channel(request)
        let now = now()
        let commands = try Command.posted(json: request.body, now: channel.earliest(at: now))
        return try await accept(commands.map(\.content), by: channel, at: now, for: request.requester) { outcomes in
            [Command.plural: zip(commands, outcomes).map { $0.answer($1) }]
        }
    }

    /// Answers `PATCH /channels/NAME/dateranges/ID`.
    func updateDateRange(_ request: ControlRequest) async throws -> Answer {
        let (channel, id) = (try channel(request), try rangeID(request))
        let now = now()
        let command = try DateRangeCommand(json: request.body, updating: id, now: channel.earliest(at: now))
        return try await accept([.update(command.range)], by: channel, at: now, for: request.requester) { outcomes in
            outcomes.map { ScheduleAnswer(id: id, $0) }.first
        }
    }

    /// Answers `DELETE /channels/NAME/dateranges/ID`.
    func removeDateRange(_ request: ControlRequest) async throws -> Answer {
        let (channel, id, now) = (try channel(request), try rangeID(request), now())
        return try await accept([.withdrawal(id: id, start: now)], by: channel, at: now, for: request.requester) {
            outcomes in
            var answer = outcomes.map { ScheduleAnswer(id: id, $0) }.first
            if answer?.slot != nil { answer?.state = "ends" }
            return answer
        }
    }

    /// Schedules the items of a request, and answers with the outcome of each: accepted or refused.
    private func accept(
        _ contents: [ScheduleAction.Content],
        by channel: any OperatedChannel,
        at now: MediaTime,
        for requester: Requester,
        _ body: ([ScheduleOutcome]) -> some Encodable
    ) async throws -> Answer {
        let acceptance = await channel.accept(contents, at: now)
        audit.changed(channel.name, by: requester, contents, acceptance.outcomes)
        let outcomes = acceptance.outcomes.flatMap(\.self)
        return try JSON.answer(Self.status(of: outcomes), AcceptanceAnswer(body(outcomes), acceptance))
    }

    /// The date range that the path names.
    func rangeID(_ request: ControlRequest) throws(Refusal) -> String {
        guard let id = PercentEncoding.decoded(request.name("id")), !id.isEmpty else {
            throw Refusal(.notFound, ["the path names no range"])
        }
        return id
    }

    /// Returns the status of a post: a success if any item was accepted.
    private static func status(of outcomes: [ScheduleOutcome]) -> HTTPResponseStatus {
        guard outcomes.allSatisfy(\.isRefusal) else { return .ok }
        guard outcomes.count == 1, case .refused(let reason)? = outcomes.first else { return .unprocessableEntity }
        return reason.isOfUnknown ? .notFound : reason.isConflict ? .conflict : .unprocessableEntity
    }
}
