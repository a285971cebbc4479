import Archive
import Channels
import Ingest
import Segmenting
import ServiceLifecycle

/// Runs one channel's inputs until they end or the program is told to stop.
struct ChannelService {
    let channel: Channel
    /// What the operator calls its inputs.
    let feeds: [InputID: String]
    var readers: [InputReader]
    let mirror: DirectoryMirror?
    /// Lets the channel go on with what a peer publishes; returns once it does.
    let follow: (@Sendable () async -> Void)?
    /// Asks the peer how it does, until it is cancelled.
    let compare: @Sendable () async -> Void
    /// Whether the program ends with the channel, or goes on serving it.
    let endsProgram: Bool

    /// - Returns: What it had to make do without where it has ended by itself; nil if nothing.
    func run() async -> FeedError? {
        // Cancelled where another part of the program has failed.
        await withTaskCancellationOrGracefulShutdownHandler {
            for reader in readers { reader.start() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await compare() }
                await follow?()
                for reader in readers { await reader.finished() }
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            for reader in readers { reader.stop() }
            channel.stop()
        }
        await channel.finished()
        mirror?.finish()
        let empty = channel.shortcomings
        // What the other inputs gave is served on.
        if !empty.isEmpty, endsProgram || empty.count == feeds.count {
            return FeedError(channel: channel.configuration.name, empty.map { (feeds[$0.input] ?? "", $0.reason) })
        }
        // A service that returns ends the program.
        if !endsProgram { try? await gracefulShutdown() }
        return nil
    }
}
