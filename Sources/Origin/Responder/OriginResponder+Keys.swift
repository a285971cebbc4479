import ContentProtection
import MediaCore
import NIOCore
import NIOHTTP1

/// Keys are never stored by caches, and never logged; what everybody may know of them is.
extension OriginResponder {
    func key(_ keyID: KeyID, channel: Substring) -> Answer {
        keyAnswer(channel, contentType: "application/octet-stream") { keys in
            try keys.contentKey(keyID).map { ByteBuffer(bytes: $0.secret.bytes) }
        }
    }

    func keySchedule(_ request: OriginRequest, channel: Substring) -> Answer {
        var answer = keyAnswer(channel, contentType: "application/json") { keys in try keys.schedule() }
        guard answer.status == .ok, let policy = channels[channel]?.policy else { return answer }
        let entityTag = "\"\(ContentHash(of: answer.body))\""
        answer.fields.replaceOrAdd(name: "Cache-Control", value: policy.keySchedule)
        answer.fields.add(name: "ETag", value: entityTag)
        guard let field = request["If-None-Match"], EntityTag.isListed(in: field, entityTag) else { return answer }
        answer.fields.remove(name: "Content-Length")
        return .notModified(answer.fields)
    }

    func license(for request: ByteBuffer, channel: Substring) -> Answer {
        keyAnswer(channel, contentType: "application/json") { keys in try keys.license(for: request) }
    }

    private func keyAnswer(
        _ channel: Substring,
        contentType: String,
        _ body: (any KeyService) throws -> ByteBuffer?
    ) -> Answer {
        do {
            guard let keys = channels[channel]?.keys, let body = try body(keys) else {
                return Rejection(.notFound).answer()
            }
            return .ok(ResponseFields.fields(cacheControl: "no-store", contentType: contentType), body)
        } catch is ClearKeyLicense.RequestError {
            return Rejection(.badRequest, "not a ClearKey licence request").answer()
        } catch {
            log.keyServiceFailed(channel: String(channel), error)
            return Rejection(.internalServerError).answer()
        }
    }
}
