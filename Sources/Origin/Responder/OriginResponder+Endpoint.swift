import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Presentation

/// A channel that fails closed withholds its playlists; those who already play still get media and keys.
extension OriginResponder {
    /// The way to a playlist: at once where the form that is asked for is made, and else once it is.
    func playlist(
        _ request: Request,
        _ channel: OriginChannel,
        _ resource: Resource,
        _ text: PlaylistText,
        now: MediaTime
    ) -> Reply {
        let accepted = AcceptEncoding(request["Accept-Encoding"])
        let form = accepted.allowsGzip ? PlaylistText.Form.gzip : .plain
        if text.asked(for: form) { return .answer(playlist(request, channel, resource, text, accepted, now: now)) }
        return .pending { [self] in
            await text.waitUntilMade(form)
            return playlist(request, channel, resource, text, accepted, now: now)
        }
    }

    private func playlist(
        _ request: Request,
        _ channel: OriginChannel,
        _ resource: Resource,
        _ text: PlaylistText,
        _ accepted: AcceptEncoding,
        now: MediaTime
    ) -> Answer {
        let state = channel.endpoint.state
        let failures = channel.endpoint.endpointPolicy.failures(state, now: now)
        var answer =
            failures.isEmpty
            ? ResourceAnswer.answer(
                to: request,
                withPlaylist: text,
                accepted,
                contentType: resource.contentType,
                cacheControl: channel.policy.cacheControl(resource, now: now)
            )
            : refusal(failures, channel)
        if let score = state.score { answer.fields.add(name: "\(Self.healthField)", value: String(score)) }
        return answer
    }

    private func refusal(_ failures: [FailureCondition], _ channel: OriginChannel) -> Answer {
        // The next slot may mend it.
        let slot = channel.presentation.configuration.segmentDuration
        let seconds = (slot.ticks + MediaTime.timescale - 1) / MediaTime.timescale
        let conditions = failures.map(\.rawValue).joined(separator: ", ")
        return Rejection(.serviceUnavailable, "failing: \(conditions)").answer(["Retry-After": String(seconds)])
    }
}
