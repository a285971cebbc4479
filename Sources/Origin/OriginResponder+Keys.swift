import ContentProtection
import Hummingbird
import MediaCore
import NIOCore

/// Keys are never stored by caches, and never logged.
extension OriginResponder {
    func key(_ keyID: KeyID, channel: Substring) -> Response {
        keyAnswer(channel, contentType: "application/octet-stream") { keys in
            try keys.contentKey(keyID).map { ByteBuffer(bytes: $0.secret.bytes) }
        }
    }

    func keySchedule(channel: Substring) -> Response {
        keyAnswer(channel, contentType: "application/json") { keys in try keys.schedule() }
    }

    /// - Throws: What the connection throws while the body is read.
    func license(_ request: Request, channel: Substring) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: maximumBodyBytes)
        } catch is NIOTooManyBytesError {
            // What remains of it is not waited for.
            return Rejection(.contentTooLarge, "the body is longer than \(maximumBodyBytes) bytes")
                .response([.connection: "close"])
        }
        return keyAnswer(channel, contentType: "application/json") { keys in try keys.license(for: body) }
    }

    private func keyAnswer(
        _ channel: Substring,
        contentType: String,
        _ body: (any KeyService) throws -> ByteBuffer?
    ) -> Response {
        do {
            guard let keys = channels[channel]?.channel.keys, let body = try body(keys) else {
                return Rejection(.notFound).response()
            }
            return .ok(ResponseFields.fields(cacheControl: "no-store", contentType: contentType), body)
        } catch is ClearKeyLicense.RequestError {
            return Rejection(.badRequest, "not a ClearKey licence request").response()
        } catch {
            log.keyServiceFailed(channel: String(channel), error)
            return Rejection(.internalServerError).response()
        }
    }
}
