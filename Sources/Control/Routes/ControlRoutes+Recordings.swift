import HTTPServing
import NIOHTTP1
import Operations

/// The routes of finished assets, which are made of a channel's recording.
extension ControlRoutes {
    /// Answers `GET /channels/NAME/recordings`.
    func recordings(_ request: ControlRequest) throws -> Answer {
        try JSON.answer(.ok, ["recordings": assets(request).records])
    }

    /// Answers `GET /channels/NAME/recordings/ID`.
    func recording(_ request: ControlRequest) throws -> Answer {
        let (assets, id) = (try assets(request), String(request.name("id")))
        guard let record = assets.record(id) else { throw Refusal(AssetRefusal.unknown(id)) }
        return try JSON.answer(.ok, record)
    }

    /// Answers `POST /channels/NAME/recordings`.
    func postRecording(_ request: ControlRequest) async throws -> Answer {
        let (channel, assets, now) = (try channel(request), try assets(request), now())
        let command = try RecordingCommand.request(json: request.body, now: now)
        let record: AssetRecord
        do throws(AssetRefusal) {
            record = try await assets.add(command, now: now)
        } catch {
            throw Refusal(error)
        }
        audit.changed(channel.name, by: request.requester, "recording \(record.id) posted")
        return try JSON.answer(.accepted, record)
    }

    /// Answers `DELETE /channels/NAME/recordings/ID`.
    func removeRecording(_ request: ControlRequest) async throws -> Answer {
        let (channel, assets, id) = (try channel(request), try assets(request), String(request.name("id")))
        guard let record = assets.record(id) else { throw Refusal(AssetRefusal.unknown(id)) }
        do throws(AssetRefusal) {
            guard try await assets.remove(id) else { throw .unknown(id) }
        } catch {
            throw Refusal(error)
        }
        audit.changed(channel.name, by: request.requester, "recording \(id) removed")
        return try JSON.answer(.ok, record)
    }

    private func assets(_ request: ControlRequest) throws(Refusal) -> any OperatedAssets {
        guard let assets = try channel(request).assets else { throw Refusal(AssetRefusal.notRecorded) }
        return assets
    }
}

extension Refusal {
    fileprivate init(_ refusal: AssetRefusal) {
        let status: HTTPResponseStatus =
            switch refusal {
            case .notRecorded, .tooMany, .tooManyWaiting, .notEncrypted, .secretNotKept, .keysOfDocument: .conflict
            case .incomplete, .backwards, .tooLong, .tooFar: .badRequest
            case .outside: .unprocessableEntity
            case .unknown: .notFound
            case .unreadable, .unkept: .serviceUnavailable
            }
        self.init(status, [refusal.description])
    }
}
