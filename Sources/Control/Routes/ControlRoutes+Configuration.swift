import HTTPTypes
import Hummingbird
import NIOCore

/// What channels there are, and how they are.
extension ControlRoutes {
    /// Answers `POST /reload`.
    func answerReload(_ request: Request, _ context: ControlContext) async throws -> Response {
        let isRehearsal = try isRehearsal(request)
        do {
            let report = try await operated.reload(isRehearsal: isRehearsal, for: context.requester)
            return try JSON.response(.ok, report)
        } catch let error as ReloadRefusal {
            throw Refusal(.unprocessableContent, error.problems)
        }
    }

    /// Answers `GET /channels/NAME/configuration`.
    func describe(_ context: ControlContext) throws -> Response {
        let name = context.parameters.get("name") ?? ""
        guard let description = operated.description(of: name) else {
            throw EditRefusal.unknownChannel.refusal(of: name)
        }
        var fields = AnswerFields.fields(contentType: "application/json")
        fields[.eTag] = description.entityTag
        let body = ByteBuffer(string: description.json + "\n")
        return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body))
    }

    /// Answers `PUT /channels/NAME`.
    func putChannel(_ request: Request, _ context: ControlContext) async throws -> Response {
        let (_, body) = try await body(of: request, types: ["application/json", "application/yaml"])
        return try await edit(.put(String(buffer: body)), request, context)
    }

    /// Answers `PATCH /channels/NAME`.
    func patchChannel(_ request: Request, _ context: ControlContext) async throws -> Response {
        let (_, body) = try await body(of: request, types: ["application/merge-patch+json", "application/json"])
        return try await edit(.patch(String(buffer: body)), request, context)
    }

    /// Answers `DELETE /channels/NAME`.
    func removeChannel(_ request: Request, _ context: ControlContext) async throws -> Response {
        try await edit(.remove, request, context)
    }

    private func edit(
        _ edit: ChannelEdit,
        _ request: Request,
        _ context: ControlContext
    ) async throws -> Response {
        let name = context.parameters.get("name") ?? ""
        let isRehearsal = try isRehearsal(request)
        do {
            let report = try await operated.edit(
                name,
                edit,
                where: Precondition(request.headers),
                isRehearsal: isRehearsal,
                for: context.requester
            )
            let fields: HTTPFields = report.description.map { [.eTag: $0.entityTag] } ?? [:]
            return try JSON.response(report.isNew && !isRehearsal ? .created : .ok, report.changes, fields)
        } catch let error as EditRefusal {
            throw error.refusal(of: name)
        }
    }

    private func isRehearsal(_ request: Request) throws -> Bool {
        let names = request.uri.queryParameters.map { String($0.key) }
        guard names.allSatisfy({ $0 == "dry-run" }) else {
            throw Refusal(.badRequest, ["the query may say dry-run, and nothing else"])
        }
        return !names.isEmpty
    }
}
