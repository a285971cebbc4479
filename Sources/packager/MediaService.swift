import ServiceLifecycle

/// Runs all channels and their clock, once the origin answers: nothing is read that nobody could play.
///
/// Returns when every channel has ended that ends the program.
struct MediaService: Service {
    let channels: [ChannelService]
    let time: TimeService
    /// Returns once the origin answers.
    let whenListening: @Sendable () async -> Void

    func run() async {
        await whenListening()
        if Task.isCancelled { return }
        let clock = Task { await time.run() }
        await withTaskGroup(of: Void.self) { group in
            for channel in channels { group.addTask { await channel.run() } }
        }
        clock.cancel()
    }
}
