import Archive
import Channels
import ObjectStores
import Operations
import Presentation
import Recording
import Segmenting

/// Runs one channel until its inputs end or it is cancelled.
struct ChannelService: ChannelRunner {
    let channel: Channel
    /// The feeds of its inputs, as operators call them.
    let feeds: [InputID: String]
    let readers: [FeedReader]
    /// Reads the sources of its subtitles, until it is cancelled.
    let readSubtitles: @Sendable () async -> Void
    let journal: Journal?
    let recorder: Recorder?
    let mirror: DirectoryMirror?
    let pushes: [Push]
    /// Has the channel continue from the peer's window; returns once it does.
    let follow: (@Sendable () async -> Void)?
    /// Requests the keys of media from earlier runs, and of finished recordings.
    let recallKeys: @Sendable () async -> Void
    /// Returns the keys that a successor need not request; nil if there are none.
    let givenKeys: @Sendable () -> GivenKeys?
    /// Asks the peer how it does, until it is cancelled.
    let compare: @Sendable () async -> Void
    /// Keeps the recording within its limits; nil if there is none.
    let upkeep: RecordingUpkeep?
    /// Makes and removes finished assets; nil if nothing is recorded.
    let assetUpkeep: AssetUpkeep?
    /// Fills holes of the recording; nil if nothing is recorded, or there is no peer.
    let healing: RecordingHealing?
    /// Fills holes of the recording, until it is cancelled.
    let heal: @Sendable () async -> Void
    /// Asks the pathways of content steering how they do, until it is cancelled.
    let steer: @Sendable () async -> Void
    let ending: Ending
    /// The outcome for the channel, and for the program if there is no other, once its feeds have come to their end.
    enum Ending {
        /// The channel is a job, and done as soon as all is written.
        case whenWritten
        /// The channel is over once players that are as far behind as they usually are have come to the end, too.
        case afterViewers(Duration)
        /// The channel is served on.
        case never
    }

    /// Beats while the channel is alive.
    let pulse = Pulse()

    /// Returns once it is cancelled, or has ended if that ends the program.
    ///
    /// - Returns: The reason if it has ended for want of a feed; nil otherwise.
    func run() async -> FeedError? {
        let timer = ChannelTimer(channel, pulse)
        let tending = Task { await tend() }
        defer {
            timer.cancel()
            tending.cancel()
        }
        await withTaskCancellationHandler {
            for reader in readers { reader.start() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await compare() }
                group.addTask { await steer() }
                group.addTask { await readSubtitles() }
                await follow?()
                group.addTask { await recallKeys() }
                for reader in readers { await reader.finished() }
                group.cancelAll()
            }
        } onCancel: {
            for reader in readers { reader.stop() }
            mirror?.release()
            for push in pushes { push.release() }
            channel.stop()
        }
        await channel.finished()
        await channel.presentation.finished()
        if Task.isCancelled { return nil }
        let empty = channel.shortcomings
        // The media of the other inputs is still served.
        if !empty.isEmpty, isJob || empty.count == feeds.count {
            return FeedError(channel: name, empty.map { (feeds[$0.input] ?? "", $0.reason) })
        }
        switch ending {
        case .whenWritten:
            if let mirror, mirror.isIncomplete {
                return FeedError(channel: name, unwritten: mirror.health.problem ?? "the disk was too slow")
            }
            if let push = pushes.first(where: \.isIncomplete) {
                let problem = push.status.problem ?? "it was too slow"
                return FeedError(channel: name, unwritten: "\(push.status.name): \(problem)")
            }
            return nil
        case .afterViewers(let patience):
            return (try? await Task.sleep(for: patience)).map { FeedError(endOfPipesOf: name) }
        case .never:
            while (try? await Task.sleep(for: .seconds(3600))) != nil {}
            return nil
        }
    }

    /// Maintains the recording until it is cancelled.
    private func tend() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await upkeep?.run() }
            group.addTask { await assetUpkeep?.run() }
            group.addTask { await heal() }
        }
    }

    /// True if the program ends once the channel is done.
    var isJob: Bool { if case .whenWritten = ending { true } else { false } }

    private var name: String { channel.configuration.name }

    /// The share of its stored feeds that is read, from 0 to 1; nil if that is not known.
    var fractionRead: Double? {
        let fractions = readers.map(\.fractionRead)
        return fractions.contains(nil) ? nil : fractions.compactMap(\.self).min()
    }

    /// Closes its inputs, and finishes publishing and writing.
    ///
    /// - Parameter ends: True if the stream ends.
    func close(ends: Bool) async {
        channel.releaseInputs()
        mirror?.release()
        for push in pushes { push.release() }
        for reader in readers { await reader.leave() }
        await channel.close(ends: ends)
        await channel.presentation.closed()
        for push in pushes { push.close() }
        journal?.close()
        await healing?.close()
        recorder?.recording.close()
    }
}
