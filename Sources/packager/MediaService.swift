import ServiceLifecycle

/// Runs all channels and their clock, once the origin answers: nothing is read that nobody could play.
///
/// Returns when every channel has ended that ends the program.
struct MediaService: Service {
    let channels: [ChannelService]
    let time: TimeService
    /// Returns once the origin answers.
    let whenListening: @Sendable () async -> Void

    /// - Throws: ``FeedError`` once all have ended, where one of them had nothing to give.
    func run() async throws {
        await whenListening()
        if Task.isCancelled { return }
        let clock = Task { await time.run() }
        let errors = await withTaskGroup(of: FeedError?.self) { group in
            for channel in channels { group.addTask { await channel.run() } }
            return await group.reduce(into: [FeedError]()) { errors, error in if let error { errors.append(error) } }
        }
        clock.cancel()
        if !errors.isEmpty { throw FeedError(errors) }
    }
}
