import ServiceLifecycle

/// Runs all channels, once the origin answers: nothing is read that nobody could play.
struct MediaService: Service {
    let host: ChannelHost
    let progress: ProgressLine?
    /// Returns once the origin answers.
    let whenListening: @Sendable () async -> Void

    /// Returns when every channel has ended that ends the program, or the program is told to.
    ///
    /// - Throws: ``FeedError`` where one of them had nothing to give.
    func run() async throws {
        await whenListening()
        if Task.isCancelled { return }
        let line = Task { while (try? await Task.sleep(for: .seconds(1))) != nil { progress?.update() } }
        defer { line.cancel() }
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await host.run()
        } onCancelOrGracefulShutdown: {
            host.stop()
        }
    }
}
