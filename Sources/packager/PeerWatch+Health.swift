import Archive
import Conformance
import MediaCore
import NIOCore
import Packaging
import Presentation

/// Which member of a pair does better.
extension PeerWatch {
    /// It answers as fast as HAProxy would have it, or is not there for viewers.
    private static let limits = OriginClient.Configuration(
        connectTimeout: .seconds(1),
        timeout: .seconds(1),
        maximumBytes: 1 << 16
    )

    /// Asks the peer how it does, for as long as the channel would have to fail by itself.
    ///
    /// - Parameters:
    ///   - channel: Its name.
    ///   - endpoint: Told of what the peer answers.
    ///   - clock: UTC.
    func compare(channel: String, endpoint: EndpointHealth, clock: any UTCClock) async {
        await OriginClient.withClient(Self.limits) { client in
            var isAsking = false
            while (try? await Task.sleep(for: .milliseconds(250))) != nil {
                guard endpoint.mustAskPeer(now: clock.now) else {
                    // What it said of another time says nothing of the next fault.
                    if isAsking { endpoint.peerAnswered(nil, now: clock.now) }
                    isAsking = false
                    continue
                }
                isAsking = true
                let answer = try? await client.fetch("\(url)/\(channel)/health.json", credentials: credentials)
                let health = answer.flatMap { try? PeerHealth(json: $0.resource.body.readableBytesView) }
                endpoint.peerAnswered(health, now: clock.now)
            }
        }
    }
}
