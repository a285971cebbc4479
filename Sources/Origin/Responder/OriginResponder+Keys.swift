import ContentProtection
import HTTPServing
import KeyServing
import MediaCore
import NIOCore
import NIOHTTP1

/// Keys are never stored by caches, and never logged; what everybody may know of them is.
extension OriginResponder {
    func key(_ request: Request, _ keyID: KeyID, channel: Substring) -> Reply {
        if channels[channel]?.past == nil { return .answer(keyAnswer(request, keyID, channel: channel)) }
        // Finding a key of the past takes time.
        return .work { [self] in keyAnswer(request, keyID, channel: channel) }
    }

    private func keyAnswer(_ request: Request, _ keyID: KeyID, channel: Substring) -> Answer {
        if let keyResponder { return answer(request, .key(keyID), channel, keyResponder) }
        return keyAnswer(channel, contentType: "application/octet-stream") { keys in
            try keys.contentKey(keyID).map { ByteBuffer(bytes: $0.bytes) }
        }
    }

    func keySchedule(_ request: Request, channel: Substring) -> Answer {
        var answer = keyAnswer(channel, contentType: "application/json", of: .background) { try $0.schedule() }
        guard answer.status == .ok, let policy = channels[channel]?.policy else { return answer }
        let entityTag = "\"\(ContentHash(of: answer.body))\""
        answer.fields.replaceOrAdd(name: "Cache-Control", value: policy.keySchedule)
        answer.fields.add(name: "ETag", value: entityTag)
        guard let field = request["If-None-Match"], EntityTag.isListed(in: field, entityTag) else { return answer }
        answer.fields.remove(name: "Content-Length")
        return .notModified(answer.fields)
    }

    /// The answer to a posted request, for a route that takes one.
    func license(_ request: Request, _ body: ByteBuffer, _ route: Route) -> Answer {
        switch (route, keyResponder) {
        case (.clearKeyLicense(let channel), let keyResponder?):
            answer(request, .clearKey(body), channel, keyResponder)
        case (.clearKeyLicense(let channel), nil):
            keyAnswer(channel, contentType: "application/json") { keys in try keys.license(for: body) }
        case (.fairPlayLicense(let channel), let keyResponder?):
            answer(
                request,
                .fairPlay(
                    body,
                    contentType: request["Content-Type"],
                    isPersistent: request.queryValue("persistent") == "true"
                ),
                channel,
                keyResponder
            )
        default: notFound
        }
    }

    /// The answer to a posted request that is too long.
    var oversizedBody: Answer { answer(.oversized) }

    private func answer(
        _ request: Request,
        _ subject: KeyRequest.Subject,
        _ channel: Substring,
        _ keyResponder: KeyResponder
    ) -> Answer {
        answer(
            keyResponder.answer(
                KeyRequest(
                    subject,
                    channel: String(channel),
                    token: request.bearerToken ?? request.queryValue(configuration.tokenParameter),
                    address: request.network
                ),
                from: channels[channel]?.keys
            )
        )
    }

    func answer(_ answer: KeyAnswer, realm: String = "keys") -> Answer {
        let fields = ResponseFields.fields(cacheControl: "no-store", contentType: answer.contentType, of: .key)
        var reply = Answer.ok(fields, answer.body, status: HTTPResponseStatus(statusCode: answer.status))
        if let seconds = answer.retryAfter { reply.fields.add(name: "Retry-After", value: String(seconds)) }
        // RFC 8216bis § 6.2.3: how long a client may keep a key that says nothing itself; caches keep none.
        if let seconds = answer.leaseSeconds {
            reply.fields.add(name: "Expires", value: HTTPDate.text(now() + MediaTime(seconds: Int64(seconds))))
        }
        // RFC 9110 § 15.5.2 wants it.
        if answer.status == 401 { reply.fields.add(name: "WWW-Authenticate", value: "Bearer realm=\"\(realm)\"") }
        return reply
    }

    private func keyAnswer(
        _ channel: Substring,
        contentType: String,
        of object: StreamObject = .key,
        _ body: (any KeyService) throws -> ByteBuffer?
    ) -> Answer {
        do {
            guard let keys = channels[channel]?.keys, let body = try body(keys) else {
                return Rejection(.notFound).answer()
            }
            return .ok(ResponseFields.fields(cacheControl: "no-store", contentType: contentType, of: object), body)
        } catch is ClearKeyLicense.RequestError {
            return Rejection(.badRequest, "not a ClearKey licence request").answer()
        } catch is MissingKey {
            // The source may have the key again soon. This is not logged: a line for each viewer would not help.
            return Rejection(.serviceUnavailable, "keys are not available at the moment").answer(["Retry-After": "2"])
        } catch {
            log.keyServiceFailed(channel: String(channel), error)
            return Rejection(.internalServerError).answer()
        }
    }
}
