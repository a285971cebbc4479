import Fetching
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Origin
import Playlists

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
    /// The target durations for which a media playlist may have no new segment.
    private static let stalePatience: Int64 = 3
    /// The interval of requests: a few of them between two of a player.
    private var interval: Duration { .seconds(min(max(1, steering.ttl / 6), 10)) }

    /// The newest segment of a pathway: a cache may continue to give out the playlists of an origin that is dead.
    private struct Progress {
        var end: MediaSequenceNumber
        /// The time since which it is the newest.
        var since: MediaTime
    }

    /// An answer of a pathway.
    private struct Answer {
        var observation: PathwayOrder.Observation
        var reason: String
        /// A media playlist; nil if there is none that can be read.
        var playlist: MediaPlaylist?
    }

    /// Asks until it is cancelled.
    func run() async {
        let client = OriginClient.Configuration(
            timeout: Self.patience,
            maximumBytes: Self.longestAnswer,
            followsRedirects: false
        )
        await OriginClient.withClient(client) { client in
            var progress: [PathwayIndex: Progress] = [:]
            while !Task.isCancelled {
                await askAll(client, &progress)
                try? await Task.sleep(for: interval)
            }
        }
    }

    private func askAll(_ client: OriginClient, _ progress: inout [PathwayIndex: Progress]) async {
        await withTaskGroup(of: (PathwayIndex, Answer).self) { group in
            for index in steering.pathways.indices {
                group.addTask { (PathwayIndex(index), await ask(steering.pathways[index], client)) }
            }
            for await (index, answer) in group where !Task.isCancelled {
                let now = MediaTime(ContinuousClock.now - Self.start)
                var answer = answer
                if let age = Self.age(of: answer.playlist, &progress[index], at: now) {
                    (answer.observation, answer.reason) = (.nothing, "no new segment for \(age.milliseconds / 1_000) s")
                }
                if let change = steering.observed(answer.observation, of: index, at: now) {
                    report(change, answer.reason)
                }
            }
        }
    }

    private static let start = ContinuousClock.now

    /// Returns the time for which a playlist has had no new segment, if that is too long for one that continues.
    private static func age(
        of playlist: MediaPlaylist?,
        _ progress: inout Progress?,
        at now: MediaTime
    ) -> MediaTime? {
        let end = playlist.map { $0.mediaSequence.advanced(by: Int64($0.segments.count)) }
        guard let playlist, !playlist.isEnded, let known = progress, known.end == end else {
            progress = end.map { Progress(end: $0, since: now) }
            return nil
        }
        let age = now - known.since
        // The parser has bounded the number.
        return age > MediaTime(seconds: Int64(playlist.targetDuration) * stalePatience) ? age : nil
    }

    private func ask(_ pathway: ChannelSteering.Pathway, _ client: OriginClient) async -> Answer {
        let folder = "\(pathway.url)\(prefix())/\(channel)/"
        do throws(FetchError) {
            let answer = try await client.send(nil, to: "\(folder)index.m3u8", [:])
            guard answer.status == 200 else {
                return Answer(observation: .nothing, reason: "\(FetchError.status(answer.status))")
            }
            // Other origins do not report their health.
            let health = answer.fields.first(name: "X-Packager-Health").flatMap { Int($0) } ?? 100
            let playlist = await mediaPlaylist(in: String(buffer: answer.body), below: folder, client)
            return Answer(observation: .health(health), reason: "health \(health)", playlist: playlist)
        } catch {
            return Answer(observation: .nothing, reason: "\(error)")
        }
    }

    /// Loads a media playlist; nil if there is none that can be read, which players would find out themselves.
    private func mediaPlaylist(in text: String, below folder: String, _ client: OriginClient) async -> MediaPlaylist? {
        guard let uri = (try? MultivariantPlaylist(parsing: text))?.variants.first?.uri,
            !uri.contains(":"), !uri.hasPrefix("/"),
            let answer = try? await client.send(nil, to: folder + uri, [:]), answer.status == 200
        else { return nil }
        return try? MediaPlaylist(parsing: String(buffer: answer.body))
    }

    private func report(_ change: PathwayOrder.Change, _ reason: String) {
        let pathway = steering.pathways[change.pathway.value]
        var metadata: Logger.Metadata = [
            "channel": "\(channel)", "pathway": "\(pathway.id)", "url": "\(pathway.url)", "reason": "\(reason)",
        ]
        if change.condition != .well {
            metadata["viewers"] =
                change.hasSubstitute
                ? "players move to the next pathway within \(steering.ttl) s"
                : "players stay where they are, since no pathway is healthy"
            metadata["do"] = "check the packagers and caches of this pathway; reason says what was seen"
        }
        switch (change.condition, change.hasSubstitute) {
        case (.well, _): logger.notice("pathway healthy again: players use it in its place", metadata: metadata)
        case (.poor, true): logger.warning("pathway unhealthy: players use the next one", metadata: metadata)
        case (.poor, false): logger.warning("pathway unhealthy: no other one is better", metadata: metadata)
        case (.dead, true): logger.warning("pathway does not answer: players use the next one", metadata: metadata)
        case (.dead, false): logger.warning("pathway does not answer: no other one does", metadata: metadata)
        }
    }
}
