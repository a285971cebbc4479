import Dispatch
import Glibc
import NIOCore
import Synchronization

/// The bytes of one publisher, from the thread of its connection to that of the reader.
///
/// It holds a few seconds: beyond that nothing more is taken from the connection until the reader has come on.
final class PublishedFeed: ByteSource {
    fileprivate struct State {
        var parts: [ByteBuffer] = []
        var byteCount = 0
        var isOver = false
        var isFull = false
        var isHandedOver = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    private let signal: StopSignal
    /// Takes from the connection again.
    private let resume: @Sendable () -> Void
    /// Ends the connection.
    private let hangUp: @Sendable () -> Void

    /// Bytes that are held before the connection waits: two seconds at 16 Mbit/s.
    private static let most = 4 << 20
    /// Silence after which a publisher is taken for dead: TCP itself would wait for hours.
    private static let patience = Duration.seconds(5)

    /// - Parameters:
    ///   - signal: Ends the waiting of the reader.
    ///   - resume: Takes from the connection again; called on the reader's thread.
    ///   - hangUp: Ends the connection; called on any thread.
    init(signal: StopSignal, resume: @escaping @Sendable () -> Void, hangUp: @escaping @Sendable () -> Void) {
        self.signal = signal
        self.resume = resume
        self.hangUp = hangUp
    }

    /// Ends the connection, unless the publisher is ending it: it would take being cut off for an error.
    func close() {
        if !state.withLock({ $0.isOver }) { hangUp() }
    }

    /// Appends bytes of the publisher.
    ///
    /// - Returns: True if there is room for more; if not, `resume` is called once there is.
    func append(_ bytes: ByteBuffer) -> Bool {
        if bytes.readableBytes == 0 { return true }
        let hasRoom = state.withLock { state in
            state.append(bytes)
            state.isFull = state.byteCount > Self.most
            return !state.isFull
        }
        arrival.signal()
        return hasRoom
    }

    /// True while more may be put in.
    var hasRoom: Bool { state.withLock { !$0.isFull } }

    /// Hands the connection over: silence is no sign of a dead publisher from now on.
    func handOver() { state.withLock { $0.isHandedOver = true } }

    /// Ends the feed.
    func finish() {
        state.withLock { $0.isOver = true }
        arrival.signal()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        let start = ContinuousClock.now
        while !signal.isRaised {
            var mustResume = false
            let count = state.withLock { state -> Int32? in
                if state.parts.isEmpty { return state.isOver ? FFmpegError.endOfFile : nil }
                let count = unsafe state.take(into: buffer)
                if state.isFull, state.byteCount < Self.most / 2 { (state.isFull, mustResume) = (false, true) }
                return Int32(count)
            }
            if mustResume { resume() }
            if let count { return count }
            if ContinuousClock.now - start > Self.patience, !state.withLock({ $0.isHandedOver }) {
                return FFmpegError.posix(ETIMEDOUT)
            }
            _ = arrival.wait(timeout: .now() + .milliseconds(100))
        }
        return FFmpegError.exitRequested
    }
}

extension PublishedFeed.State {
    /// The bytes below which data is appended to the last piece: short pieces cost more than copying.
    private static let shortest = 4_096

    fileprivate mutating func append(_ bytes: ByteBuffer) {
        byteCount += bytes.readableBytes
        if bytes.readableBytes < Self.shortest, let last = parts.indices.last,
            parts[last].readableBytes < Self.shortest
        {
            parts[last].writeImmutableBuffer(bytes)
        } else {
            parts.append(bytes)
        }
    }

    /// - Returns: The number of bytes of the first part that fit.
    fileprivate mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, parts[0].readableBytes)
        unsafe parts[0].readWithUnsafeReadableBytes { bytes in
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            return count
        }
        if parts[0].readableBytes == 0 { parts.removeFirst() }
        byteCount -= count
        return count
    }
}
