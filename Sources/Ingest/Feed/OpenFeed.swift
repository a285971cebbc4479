import MediaCore
import Synchronization

/// A feed that was opened beside its current reader, for a reader that takes it over.
package final class OpenFeed: Sendable {
    let signal = StopSignal()
    let replayBuffer = FeedReplayBuffer()
    private let source: Mutex<FeedSource?>
    private let isClaimed = Atomic(false)

    /// Opens it: datagrams to a port of this machine arrive here from now on, and no longer at the current reader.
    ///
    /// Fails if only one reader at a time can have such a feed, or none can resume where another left off.
    ///
    /// - Parameters:
    ///   - location: As an ``InputReader`` gets it.
    ///   - options: Those of the reader that takes it over.
    /// - Throws: ``FFmpegError``.
    package init?(opening location: String, options: InputReader.Options = .init()) throws(FFmpegError) {
        let address = FeedAddress(FeedLocation(location), allowed: options.allowedPublishers)
        guard address.canResume else { return nil }
        source = Mutex(nil)
        let source = try FeedSource(
            opening: address,
            besideOthers: true,
            isPrompt: options.isPrompt,
            signal: signal,
            replayBuffer: replayBuffer
        )
        self.source.withLock { $0 = source }
    }

    /// Claims the feed; false from the second time on, when the caller has to open the feed itself.
    package func claim() -> Bool { !isClaimed.exchange(true, ordering: .relaxed) }

    /// Makes it available again, because its claimant has not begun to read.
    package func release() { isClaimed.store(false, ordering: .relaxed) }

    /// Closes the feed, unless a reader has it; the next reader opens it again.
    package func close() {
        isClaimed.store(true, ordering: .relaxed)
        _ = take()
    }

    /// Puts the bytes that another reader has read before those to come.
    package func resume(after bytes: [UInt8]) { source.withLock { $0?.resume(after: bytes) } }

    /// Returns the source that its reader reads from first; nil the second time.
    func take() -> FeedSource? {
        source.withLock { source in
            defer { source = nil }
            return source
        }
    }
}
