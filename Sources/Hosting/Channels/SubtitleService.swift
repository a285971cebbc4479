import Channels
import Fetching
import Logging
import MediaCore
import Operations
import PackagerConfig
import Segmenting
import SubtitleSources

/// Reads the sources of a channel's subtitles.
struct SubtitleService {
    private let channel: Channel
    private let subtitles: [SubtitleDescription]
    private let clock: any UTCClock
    private let events: EventLog
    private let logger: Logger

    init(
        channel: Channel,
        _ subtitles: [SubtitleDescription],
        _ clock: any UTCClock,
        _ events: EventLog,
        _ logger: Logger
    ) {
        self.channel = channel
        self.subtitles = subtitles
        self.clock = clock
        self.events = events
        self.logger = logger
    }

    /// Reads until it is cancelled.
    func run() async {
        let sources = subtitles.enumerated().compactMap { index, subtitles in
            subtitles.source.map { (index, subtitles, $0) }
        }
        if sources.isEmpty { return }
        let limits = OriginClient.Configuration(timeout: .seconds(5), maximumBytes: 16 << 20, followsRedirects: false)
        await OriginClient.withClient(limits) { client in
            await withTaskGroup(of: Void.self) { group in
                for (index, subtitles, source) in sources {
                    group.addTask {
                        let fetcher = Self.fetcher(of: subtitles, client)
                        let reader = SubtitleReader(source, origin: subtitles.origin, fetcher: fetcher, clock: clock)
                        await reader.run {
                            channel.show($0, in: index)
                        } onCondition: {
                            note($0, subtitles.attributes.language)
                        }
                    }
                }
            }
        }
    }

    /// Makes the fetcher for the source of subtitles.
    ///
    /// - Parameters:
    ///   - subtitles: The subtitles.
    ///   - client: Sends requests, and follows no redirects.
    /// - Returns: A fetcher that follows redirects within the limits of the configuration.
    static func fetcher(of subtitles: SubtitleDescription, _ client: OriginClient) -> GuardedFetcher {
        GuardedFetcher(client) { [redirects = subtitles.redirects] url in redirects?.includes(url) ?? true }
    }

    private func note(_ condition: SubtitleReader.Condition, _ language: String) {
        var metadata: Logger.Metadata = ["channel": "\(channel.configuration.name)", "language": "\(language)"]
        switch condition {
        case .readable:
            logger.notice("subtitles can be read again", metadata: metadata)
            note(.notice, "The source of the subtitles \(language) can be read again.")
        case .unreadable(let problem):
            metadata["problem"] = "\(problem)"
            metadata["viewers"] = "these subtitles stay empty; picture and sound go on"
            metadata["do"] = "check the file or server that the source of subtitles names"
            logger.warning("subtitles cannot be read", metadata: metadata)
            note(.warning, "The source of the subtitles \(language) cannot be read: \(problem).")
        case .incomplete(let problem):
            metadata["problem"] = "\(problem)"
            metadata["viewers"] = "they miss the text that problem names; all else is shown"
            metadata["do"] = "correct the text of the source"
            logger.warning("part of the subtitles left out", metadata: metadata)
            note(.warning, "A part of the subtitles \(language) is left out: \(problem).")
        }
    }

    private func note(_ level: Logger.Level, _ message: String) {
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: channel.configuration.name,
                kind: .inputProblem,
                severity: ChannelEvent.Severity(level),
                message: message
            )
        )
    }
}
