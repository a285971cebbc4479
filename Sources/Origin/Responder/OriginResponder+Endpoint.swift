import Files
import HTTPServing
import MediaCore
import NIOHTTP1
import Presentation

/// A channel that fails closed withholds its playlists; those who already play still get media and keys.
extension OriginResponder {
    func playlist(
        _ request: Request,
        _ channel: OriginChannel,
        _ resource: Resource,
        now: MediaTime
    ) throws(FileError) -> Answer {
        let state = channel.endpoint.state
        let failures = channel.endpoint.endpointPolicy.failures(state, now: now)
        var answer =
            failures.isEmpty
            ? try ResourceAnswer.answer(
                to: request,
                with: resource,
                cacheControl: channel.policy.cacheControl(resource, now: now)
            )
            : refusal(failures, channel)
        // Health of the channel, 0 to 100.
        if let score = state.score { answer.fields.add(name: "X-Packager-Health", value: String(score)) }
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
