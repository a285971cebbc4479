import Archive
import Channels
import Operations
import Segmenting

/// Runs one channel until its inputs end or it is told to stop.
struct ChannelService {
    let channel: Channel
    /// What the operator calls its inputs.
    let feeds: [InputID: String]
    var readers: [FeedReader]
    /// Reads the sources of its subtitles, until it is cancelled.
    let readSubtitles: @Sendable () async -> Void
    let journal: Journal?
    let mirror: DirectoryMirror?
    /// Lets the channel go on with what a peer publishes; returns once it does.
    let follow: (@Sendable () async -> Void)?
    /// Asks for the keys of what was published before this run.
    let recallKeys: @Sendable () async -> Void
    /// Asks the peer how it does, until it is cancelled.
    let compare: @Sendable () async -> Void
    /// Whether the program ends with the channel, or goes on serving it.
    let endsProgram: Bool
    /// Whether it goes on.
    let pulse = Pulse()

    /// Returns once it is cancelled, or has ended where that ends the program.
    ///
    /// - Returns: What it had to make do without where it has ended by itself; nil if nothing.
    func run() async -> FeedError? {
        let timer = ChannelTimer(channel, pulse)
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            for reader in readers { reader.start() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await compare() }
                group.addTask { await readSubtitles() }
                await follow?()
                group.addTask { await recallKeys() }
                for reader in readers { await reader.finished() }
                group.cancelAll()
            }
        } onCancel: {
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
        if !endsProgram { while (try? await Task.sleep(for: .seconds(3600))) != nil {} }
        return nil
    }

    /// Lets its inputs go, publishes and writes what is decided, and nothing after that.
    ///
    /// - Parameter ends: Whether its stream is over.
    func close(ends: Bool) async {
        channel.releaseInputs()
        for reader in readers { await reader.leave() }
        await channel.close(ends: ends)
        mirror?.finish()
        journal?.close()
    }
}
