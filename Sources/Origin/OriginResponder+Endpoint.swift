import HTTPTypes
import Hummingbird
import MediaCore
import Presentation

/// A channel that fails closed withholds its playlists; those who already play still get media and keys.
extension OriginResponder {
    func playlist(
        _ request: HTTPRequest,
        _ served: ServedChannel,
        _ resource: Resource,
        now: MediaTime
    ) -> Response {
        let state = served.channel.endpoint.state
        let failures = served.channel.endpoint.policy.failures(state, now: now)
        var response =
            failures.isEmpty
            ? ResourceAnswer.response(to: request, with: resource, policy: served.policy, now: now)
            : refusal(failures, served.channel)
        if let score = state.score, let name = HTTPField.Name.packagerHealth {
            response.headers.append(HTTPField(name: name, value: String(score)))
        }
        return response
    }

    private func refusal(_ failures: [FailureCondition], _ channel: OriginChannel) -> Response {
        // The next slot may mend it.
        let slot = channel.presentation.configuration.segmentDuration
        let seconds = (slot.ticks + MediaTime.timescale - 1) / MediaTime.timescale
        let conditions = failures.map(\.rawValue).joined(separator: ", ")
        return Rejection(.serviceUnavailable, "failing: \(conditions)").response([.retryAfter: String(seconds)])
    }
}

extension HTTPField.Name {
    /// Health of the channel, 0 to 100.
    fileprivate static let packagerHealth = HTTPField.Name("X-Packager-Health")
}
