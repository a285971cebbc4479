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
                        } onProblem: {
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

    private func note(_ problem: String?, _ language: String) {
        let what = problem ?? "it can be read again"
        var metadata: Logger.Metadata = ["channel": "\(channel.configuration.name)", "language": "\(language)"]
        let level: Logger.Level = problem == nil ? .notice : .warning
        if let problem {
            metadata["problem"] = "\(problem)"
            metadata["viewers"] = "these subtitles stay empty; picture and sound go on"
            metadata["do"] = "check the file or server that the source of subtitles names"
        }
        logger.log(
            level: level,
            problem == nil ? "subtitles can be read again" : "subtitles cannot be read",
            metadata: metadata
        )
        events.append(
            ChannelEvent(
                time: clock.now,
                channel: channel.configuration.name,
                kind: .inputProblem,
                severity: ChannelEvent.Severity(level),
                message: "The source of the subtitles \(language): \(what)."
            )
        )
    }
}
