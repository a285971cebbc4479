import Ingest
import MediaCore

/// A channel's share of the reader of a feed: all of it, or one program beside other channels.
struct FeedReader {
    private let reader: InputReader
    /// The program among those of the reader; nil if the channel has the reader for itself.
    private let share: (fanOut: ProgramFanOut, program: Int)?
    /// The consumer of the channel, if the reader has read for another one before.
    private let consumer: (any InputConsumer)?

    init(_ reader: InputReader, share: (fanOut: ProgramFanOut, program: Int)? = nil) {
        self.reader = reader
        self.share = share
        consumer = nil
    }

    /// - Parameters:
    ///   - reader: A held reader.
    ///   - consumer: Gets its data, once this is started.
    init(held reader: InputReader, consumer: any InputConsumer) {
        self.reader = reader
        self.consumer = consumer
        share = nil
    }

    /// The reader of a connection that another channel can resume; nil if there is none, or others have a share of it.
    var connection: InputReader? { share == nil && reader.canBeHeld ? reader : nil }

    /// The location of the feed.
    var feed: FeedLocation { FeedLocation(reader.location) }

    /// Decides the outcome of an upgrade for this feed.
    ///
    /// - Parameters:
    ///   - handsPublishersOver: True if that process can take over the connections of RTMP encoders.
    ///   - isOpen: True if an encoder is connected, in case the feed waits for one.
    /// - Returns: The outcome, for the log at the upgrade and for `GET /upgrade` before it.
    func outcome(handsPublishersOver: Bool, isOpen: Bool) -> FeedOutcome {
        if reader.isListening {
            guard isOpen else { return .unconnected }
            return handsPublishersOver && reader.canBeHandedOver ? .handedOver : .cutOff
        }
        if reader.canBeResumed { return .continues }
        return feed.kind == .file ? .beginsAnew : .openedAnew
    }

    /// The location of the feed, and the bytes that are captured of it; nil if no other reader can resume it.
    var capture: (location: String, bytes: FeedReplayBuffer)? {
        reader.canBeResumed ? (reader.location, reader.replayBuffer) : nil
    }

    func start() {
        if let consumer { reader.resume(with: consumer) }
        reader.start()
    }

    /// The read fraction of the feed, from 0 to 1; nil if that is unknown.
    var fractionRead: Double? { reader.progress.fraction }

    /// Ends reading for this channel, without waiting.
    ///
    /// - Returns: True if no other channel reads it, now or later.
    @discardableResult
    func stop() -> Bool {
        if let share, share.fanOut.leave(share.program) { return false }
        if reader.isHeld {
            reader.detach()
            return false
        }
        reader.stop()
        return true
    }

    /// Ends reading like ``stop()``, but returns once the feed is closed, unless others read it.
    func leave() async { if stop() { await reader.finished() } }

    /// Returns when the feed has ended or, where others read it or may continue with it, the task is cancelled.
    func finished() async {
        guard share != nil || connection != nil else { return await reader.finished() }
        await reader.finishedOrCancelled()
        // A stopped reader may still be delivering.
        if share == nil, !reader.isHeld { await reader.finished() }
    }
}
