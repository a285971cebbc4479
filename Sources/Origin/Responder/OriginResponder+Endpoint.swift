import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation

/// A channel that fails closed withholds its playlists. Present players still get media and keys.
extension OriginResponder {
    /// The reply with a playlist: at once if the requested form exists, and else once it is made.
    func playlist(
        _ request: Request,
        _ channel: OriginChannel,
        _ resource: Resource,
        _ text: PlaylistText,
        isBlocking: Bool = false,
        now: MediaTime
    ) -> Reply {
        let accepted = AcceptEncoding(request["Accept-Encoding"])
        let form = accepted.allowsGzip ? PlaylistText.Form.gzip : .plain
        let cacheControl = channel.policy.cacheControl(resource, isBlocking: isBlocking, now: now)
        if text.asked(for: form) {
            return .answer(answer(request, channel, resource, text, accepted, cacheControl, now: now))
        }
        return .pending { [self] in
            await text.waitUntilMade(form)
            return answer(request, channel, resource, text, accepted, cacheControl, now: now)
        }
    }

    /// The answer with a playlist, which is made if it is not.
    func answer(
        _ request: Request,
        _ channel: OriginChannel,
        _ resource: Resource,
        _ text: PlaylistText,
        _ accepted: AcceptEncoding,
        _ cacheControl: String,
        now: MediaTime
    ) -> Answer {
        if let refusal = refusal(channel, now: now) { return refusal }
        return ResourceAnswer.answer(
            to: request,
            withPlaylist: text,
            accepted,
            contentType: resource.contentType,
            cacheControl: cacheControl
        )
    }

    /// The answer to all requests for playlists of a channel that fails; nil if it does not.
    func refusal(_ channel: OriginChannel, now: MediaTime) -> Answer? {
        let failures = channel.endpoint.failures(now: now)
        if failures.isEmpty { return nil }
        let conditions = failures.map(\.rawValue).joined(separator: ", ")
        return Rejection(.serviceUnavailable, "failing: \(conditions)").answer(["Retry-After": retryAfter(channel)])
    }

    /// The seconds until the next slot, which may end the problem.
    func retryAfter(_ channel: OriginChannel) -> String {
        let slot = channel.presentation.configuration.segmentDuration
        return String((slot.ticks + MediaTime.timescale - 1) / MediaTime.timescale)
    }
}
