import HTTPServing
import NIOCore
import NIOHTTP1

/// The channels, their configuration and their state.
extension ControlRoutes {
    /// Answers `POST /reload`.
    func answerReload(_ request: ControlRequest) async throws -> Answer {
        let isRehearsal = try request.asks("dry-run")
        do {
            let report = try await operated.reload(isRehearsal: isRehearsal, for: request.requester)
            return try JSON.answer(.ok, report)
        } catch let error as ReloadRefusal {
            throw Refusal(.unprocessableEntity, error.problems)
        }
    }

    /// Answers `GET /channels/NAME/configuration`.
    func describe(_ request: ControlRequest) throws -> Answer {
        let name = request.name("name")
        guard let description = operated.description(of: name) else {
            throw refusal(.unknownChannel, of: name)
        }
        var fields = AnswerFields.fields(contentType: "application/json")
        fields.add(name: "ETag", value: description.entityTag)
        return .ok(fields, ByteBuffer(string: description.json + "\n"))
    }

    /// Answers `PUT`, `PATCH` and `DELETE /channels/NAME`.
    func edit(_ edit: ChannelEdit, _ request: ControlRequest) async throws -> Answer {
        let name = request.name("name")
        let isRehearsal = try request.asks("dry-run")
        do {
            let report = try await operated.edit(
                name,
                edit,
                where: Precondition(request.head),
                isRehearsal: isRehearsal,
                for: request.requester
            )
            let fields: HTTPHeaders = report.description.map { ["ETag": $0.entityTag] } ?? [:]
            return try JSON.answer(report.isNew && !isRehearsal ? .created : .ok, report.changes, fields)
        } catch let error as EditRefusal {
            throw refusal(error, of: name)
        }
    }

    private func refusal(_ reason: EditRefusal, of name: String) -> Refusal {
        reason.refusal(of: name, isRunning: channels().contains { $0.name == name })
    }
}
