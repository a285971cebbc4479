import Ingest

/// What a channel has of the reader of a feed: all of it, or one program beside other channels.
struct FeedReader {
    private let reader: InputReader
    /// Nil where the channel has the reader for itself.
    private let share: (fanOut: ProgramFanOut, program: Int)?

    init(_ reader: InputReader, share: (fanOut: ProgramFanOut, program: Int)? = nil) {
        self.reader = reader
        self.share = share
    }

    /// What it reads, and what was read of that since the tape was started; nil where nobody can go on with it.
    var tape: (location: String, tape: FeedTape)? {
        reader.canBeGoneOnWith ? (reader.location, reader.tape) : nil
    }

    func start() { reader.start() }

    /// Ends reading for this channel, without waiting for it.
    ///
    /// - Returns: Whether nobody else reads it.
    @discardableResult
    func stop() -> Bool {
        if let share, share.fanOut.leave(share.program) { return false }
        reader.stop()
        return true
    }

    /// As ``stop()``, but returns once the feed is closed, unless others read it.
    func leave() async { if stop() { await reader.finished() } }

    /// Returns when the feed has ended or, where it is shared, the task is cancelled.
    func finished() async {
        guard share != nil else { return await reader.finished() }
        let (end, continuation) = AsyncStream<Never>.makeStream()
        Task {
            await reader.finished()
            continuation.finish()
        }
        for await _ in end {}
    }
}
