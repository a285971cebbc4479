import Synchronization

/// Keeps the bytes that are read of a feed, from when it is asked to, for whoever reads the feed after this reader.
package final class FeedTape: Sendable {
    private struct State {
        var isRunning = false
        var chunks: [[UInt8]] = []
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// A quarter of a minute at 25 Mbit/s; beyond it the oldest bytes go.
    private static let mostBytes = 48 << 20

    package init() {}

    /// Keeps what is read from now on, and nothing of what was kept before.
    package func start() { state.withLock { $0 = State(isRunning: true) } }

    /// Forgets everything, and keeps nothing any more.
    package func clear() { state.withLock { $0 = State() } }

    /// The bytes that were kept, in the order in which they were read.
    package var bytes: [UInt8] { state.withLock { Array($0.chunks.joined()) } }

    func passed(_ bytes: RawSpan) {
        state.withLock { state in
            guard state.isRunning else { return }
            state.chunks.append(unsafe bytes.withUnsafeBytes { unsafe Array($0) })
            state.byteCount += bytes.byteCount
            while state.byteCount > Self.mostBytes { state.byteCount -= state.chunks.removeFirst().count }
        }
    }
}
