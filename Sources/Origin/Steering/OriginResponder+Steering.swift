import HTTPServing
import MediaCore
import NIOHTTP1

/// Content steering (RFC 8216bis § 7).
extension OriginResponder {
    /// The steering manifest of a channel.
    ///
    /// A channel without pathways answers 410, so that players stop asking (§ 7.1): it may have had pathways before.
    func steering(_ request: Request, channel name: Substring) -> Answer {
        guard let channel = channels[name] else { return notFound }
        guard let steering = channel.steering else {
            return Rejection(.gone, "there are no pathways").answer()
        }
        guard let manifest = steering.manifest(at: now().ticks / MediaTime.timescale, for: request.network) else {
            // Clients that were refused together must not all return at once.
            let seconds = steering.ttl + Int.random(in: 0...steering.ttl)
            return Rejection(.tooManyRequests, "too many requests").answer(["Retry-After": String(seconds)])
        }
        // The answer is cached for a short time: players ask seldom, and a cache asks for all of them.
        let fields = ResponseFields.fields(
            cacheControl: "public, max-age=1",
            contentType: "application/vnd.apple.steering-list",
            of: .background
        )
        return .ok(fields, manifest)
    }
}
