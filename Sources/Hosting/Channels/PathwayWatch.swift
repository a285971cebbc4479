import Fetching
import Logging
import MediaCore
import NIOHTTP1
import Origin

/// Asks each pathway of a channel how it does, for content steering.
struct PathwayWatch: Sendable {
    let steering: ChannelSteering
    let channel: String
    /// Makes the beginning of paths of playlists with a pass; empty if they need none.
    let prefix: @Sendable () -> String
    let logger: Logger

    /// A pathway that takes longer is of no use to players.
    private static let patience = Duration.seconds(2)
    /// The most bytes of an answer: more than a multivariant playlist has.
    private static let longestAnswer = 1 << 20
    /// The interval of requests: a few of them between two of a player.
    private var interval: Duration { .seconds(min(max(1, steering.ttl / 6), 10)) }

    /// Asks until it is cancelled.
    func run() async {
        let client = OriginClient.Configuration(
            timeout: Self.patience,
            maximumBytes: Self.longestAnswer,
            followsRedirects: false
        )
        await OriginClient.withClient(client) { client in
            while !Task.isCancelled {
                await askAll(client)
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func askAll(_ client: OriginClient) async {
        await withTaskGroup(of: (PathwayIndex, PathwayOrder.Observation, String).self) { group in
            for index in steering.pathways.indices {
                group.addTask {
                    let (observation, reason) = await ask(steering.pathways[index], client)
                    return (PathwayIndex(index), observation, reason)
                }
            }
            for await (index, observation, reason) in group where !Task.isCancelled {
                let now = MediaTime(ContinuousClock.now - Self.start)
                if let change = steering.observed(observation, of: index, at: now) { tell(change, reason) }
            }
        }
    }

    private static let start = ContinuousClock.now

    private func ask(
        _ pathway: ChannelSteering.Pathway,
        _ client: OriginClient
    ) async -> (PathwayOrder.Observation, reason: String) {
        do throws(FetchError) {
            let answer = try await client.send(nil, to: "\(pathway.url)\(prefix())/\(channel)/index.m3u8", [:])
            guard answer.status == 200 else { return (.nothing, "\(FetchError.status(answer.status))") }
            // An origin of another make does not say how it does.
            let health = answer.fields.first(name: "X-Packager-Health").flatMap { Int($0) } ?? 100
            return (.health(health), "health \(health)")
        } catch {
            return (.nothing, "\(error)")
        }
    }

    private func tell(_ change: PathwayOrder.Change, _ reason: String) {
        let pathway = steering.pathways[change.pathway.value]
        var metadata: Logger.Metadata = [
            "channel": "\(channel)", "pathway": "\(pathway.id)", "url": "\(pathway.url)", "reason": "\(reason)",
        ]
        if change.condition != .well {
            metadata["viewers"] = "players move to the next pathway within \(steering.ttl) s"
            metadata["do"] = "check the packagers and caches of this pathway; reason says what was seen"
        }
        switch change.condition {
        case .well: logger.notice("pathway does well again: players use it in its place", metadata: metadata)
        case .poor: logger.warning("pathway does badly: players use the next one", metadata: metadata)
        case .dead: logger.warning("pathway does not answer: players use the next one", metadata: metadata)
        }
    }
}
