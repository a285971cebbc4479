import Synchronization

/// Keeps the bytes that are read of a feed, from a given moment on, for the reader that takes it over.
package final class FeedReplayBuffer: Sendable {
    private struct State {
        var isRunning = false
        /// True while its reader waits for more.
        var isWaiting = false
        var chunks: [[UInt8]] = []
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The most bytes that are kept: 16 s at 25 Mbit/s.
    ///
    /// Beyond it, the oldest are dropped.
    private static let mostBytes = 48 << 20

    package init() {}

    /// Starts to keep bytes, and drops those that were kept before.
    package func start() { state.withLock { $0 = State(isRunning: true, isWaiting: $0.isWaiting) } }

    /// Forgets everything, and keeps nothing any more.
    package func clear() { state.withLock { $0 = State(isWaiting: $0.isWaiting) } }

    /// True if nothing is to be kept, or if everything is kept that has come so far.
    package var isComplete: Bool { state.withLock { !$0.isRunning || $0.isWaiting } }

    /// True if nothing is to be kept, or if all data before the capture was used.
    package var isSettled: Bool { state.withLock { !$0.isRunning || $0.isWaiting || $0.byteCount > 0 } }

    /// The bytes that were kept, in the order in which they were read.
    package var bytes: [UInt8] { state.withLock { Array($0.chunks.joined()) } }

    /// Notes that the reader has read all that has come.
    func waits() { state.withLock { $0.isWaiting = true } }

    func passed(_ bytes: RawSpan) {
        state.withLock { state in
            state.isWaiting = false
            guard state.isRunning else { return }
            state.chunks.append(unsafe bytes.withUnsafeBytes { unsafe Array($0) })
            state.byteCount += bytes.byteCount
            while state.byteCount > Self.mostBytes { state.byteCount -= state.chunks.removeFirst().count }
        }
    }
}
