import Fetching
import Foundation
package import MediaCore
import NIOCore
package import Presentation

/// The comparison of the health of both members of a pair, and the renditions that both declare.
extension PeerWatch {
    /// The limits of a health check: a peer that does not answer as fast as HAProxy requires does not count as serving.
    var limits: OriginClient.Configuration {
        OriginClient.Configuration(
            connectTimeout: .seconds(1),
            timeout: .seconds(1),
            // More than a schedule takes.
            maximumBytes: 1 << 24,
            // A peer must not redirect.
            followsRedirects: false,
            authorities: authorities
        )
    }

    /// Lends a client for the time of `body`, and notes the address at which it reaches the peer.
    func withClient<Result>(_ body: (OriginClient) async -> Result) async -> Result {
        let client = OriginClient(limits) { [self] in reached(at: $0) }
        let result = await body(client)
        await client.shutdown()
        return result
    }

    /// Asks the peer for its bandwidths and its first slot, and for its health if the channel would fail without a
    /// peer.
    ///
    /// - Parameters:
    ///   - presentation: Declares no less than the peer.
    ///   - endpoint: Gets the peer's health.
    ///   - sharedSchedule: Has all that the peer has.
    ///   - clock: UTC.
    ///   - began: Called with the first slot that the peer has ever listed.
    package func compare(
        presentation: Presentation,
        endpoint: EndpointHealth,
        sharedSchedule: SharedSchedule,
        clock: any UTCClock,
        began: (MediaSequenceNumber) -> Void
    ) async {
        await withClient { client in
            var wasHurt = false
            var due = ContinuousClock.now
            var merged = ""
            while (try? await Task.sleep(for: .milliseconds(250))) != nil {
                let isHurt = endpoint.mustAskPeer(now: clock.now)
                // The peer's health at an earlier time says nothing about the next fault.
                if wasHurt, !isHurt { endpoint.peerAnswered(nil, now: clock.now) }
                wasHurt = isHurt
                guard isHurt || ContinuousClock.now >= due else { continue }
                due = .now + .seconds(1)
                let health = await ask(client)
                if Task.isCancelled { return }
                if isHurt { endpoint.peerAnswered(health, now: clock.now) }
                guard let health else { continue }
                presentation.raiseMeters(to: health.meters)
                if let first = health.first { began(MediaSequenceNumber(first)) }
                // The peer gets the actions that were accepted here.
                guard ![merged, sharedSchedule.digest()].contains(health.schedule), let actions = await schedule(client)
                else {
                    continue
                }
                merged = health.schedule
                await sharedSchedule.merge(actions)
            }
        }
    }

    private func ask(_ client: OriginClient) async -> PeerHealth? {
        do throws(FetchError) {
            let (isRefusal, answer) = try await client.fetch(
                "\(url)/\(channel)/health.json",
                credentials: credentials
            )
            noteSilence(isRefusal ? "it has another key-secret, or none" : nil)
            return try? PeerHealth(json: Data(answer.body.readableBytesView))
        } catch {
            if !Task.isCancelled { noteSilence("\(error)") }
            return nil
        }
    }
}
