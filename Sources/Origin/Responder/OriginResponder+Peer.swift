import ContentProtection
import HTTPServing
import NIOCore
import NIOHTTP1

/// Answers for the other member of a pair, not for viewers.
extension OriginResponder {
    /// Viewers get 404; a peer with another secret gets the reason.
    func forPeer(_ request: Request, _ name: Substring, _ reply: (OriginChannel) -> Reply) -> Reply {
        guard let channel = channels[name] else { return .answer(notFound) }
        let (token, refusal): (PeerToken, ByteBuffer)
        switch channel.peerAccess {
        case .nobody: return .answer(notFound)
        case .everybody: return reply(channel)
        case .holders(let holders, let words): (token, refusal) = (holders, words)
        }
        guard let credentials = request["Authorization"] else { return .answer(notFound) }
        if token.isIn(credentials) { return reply(channel) }
        var answer = document(refusal)
        answer.status = .unauthorized
        // RFC 9110 § 15.5.2 wants it.
        answer.fields.add(name: "WWW-Authenticate", value: "Bearer realm=\"peer\"")
        return .answer(answer)
    }

    func window(_ channel: OriginChannel) -> Answer { channel.window().map(document) ?? notFound }

    func health(_ channel: OriginChannel) -> Answer { channel.health().map(document) ?? notFound }

    func schedule(_ channel: OriginChannel) -> Answer { channel.schedule().map(document) ?? notFound }

    func document(_ json: ByteBuffer) -> Answer {
        .ok(ResponseFields.fields(cacheControl: "no-store", contentType: "application/json"), json)
    }
}
