import Channels
import Logging
import MediaCore
import Operations
import Presentation
import Segmenting
import ServiceLifecycle

/// Runs all channels, once the origin answers.
struct MediaService: Service {
    let host: ChannelHost
    let progress: ProgressLine?
    let logger: Logger
    /// Returns once the origin answers.
    let whenListening: @Sendable () async -> Void

    /// Returns once every channel that ends the program has ended, or the program must end.
    ///
    /// - Throws: ``FeedError`` if one of them had no media.
    func run() async throws {
        await whenListening()
        if Task.isCancelled { return }
        let line = Task { while (try? await Task.sleep(for: .seconds(1))) != nil { progress?.update() } }
        defer { line.cancel() }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await host.run()
        } onCancelOrGracefulShutdown: {
            logger.notice("stopping", metadata: ["why": "the process was told to end"])
            host.stop()
        }
        for channel in host.registry.members where channel.service.isJob { logEnd(of: channel.service) }
    }

    private func logEnd(of job: ChannelService) {
        let presentation = job.channel.presentation
        let totals = presentation.totals
        logger.notice(
            "finished",
            metadata: [
                "channel": "\(job.channel.configuration.name)", "segments": .number(totals.segments),
                "gaps": .number(totals.gaps), "listed": "\(JobProgress.clock(presentation.listedDuration.seconds))",
            ]
        )
    }
}
