import CDatagrams
import Glibc
import MediaCore
import Synchronization

/// Reads the sockets of many feeds that come in datagrams, on one thread and in batches.
///
/// A thread per feed that is woken by each datagram costs 15 to 20 times as much. A feed whose port somebody floods
/// gets as many turns as any other.
final class DatagramReceiver: Sendable {
    /// The receiver of feeds that become segments.
    static let shared = DatagramReceiver(interval: .milliseconds(18))
    /// The receiver of feeds that become parts, and of small sockets: a burst of 200 kB, such as a key frame, must fit.
    static let prompt = DatagramReceiver(interval: .milliseconds(6))

    private struct State {
        var feeds: [UInt64: DatagramFeed] = [:]
        var lastID: UInt64 = 0
        var hasThread = false
    }

    private let state = Mutex(State())
    /// The descriptor; negative if there is none.
    private let set = cdatagrams_set()

    /// Nanoseconds from one reading of the sockets to the next: a datagram waits no longer, and readers are woken as
    /// often.
    private let interval: Int64
    /// Batches of 64 that are read of one feed at a time: 100 Mbit/s as datagrams of 1,316 bytes have 2.
    ///
    /// The rest stays in its socket, and is dropped there.
    private static let mostBatches = 16

    private init(interval: Duration) { self.interval = interval.nanoseconds }

    /// Reads a feed's socket from now on.
    ///
    /// - Parameters:
    ///   - feed: Gets the datagrams.
    ///   - descriptor: The socket.
    /// - Returns: The number for removing it.
    /// - Throws: `FFmpegError` if there is no thread, or no room for the socket.
    func add(_ feed: DatagramFeed, _ descriptor: CInt) throws(FFmpegError) -> UInt64 {
        let (id, mustStart) = state.withLock { state in
            state.lastID += 1
            state.feeds[state.lastID] = feed
            defer { state.hasThread = true }
            return (state.lastID, !state.hasThread)
        }
        if mustStart, !startThread(named: "datagrams", { self.run() }) {
            state.withLock { ($0.hasThread, $0.feeds[id]) = (false, nil) }
            throw FFmpegError(code: FFmpegError.posix(EAGAIN), operation: "start a thread")
        }
        let result = set < 0 ? set : cdatagrams_add(set, descriptor, id)
        guard result == 0 else {
            remove(id)
            throw FFmpegError(code: FFmpegError.posix(-result), operation: "open")
        }
        return id
    }

    /// Forgets a feed, whose socket is then closed.
    func remove(_ id: UInt64) { state.withLock { $0.feeds[id] = nil } }

    private func run() {
        let room = DatagramBuffer()
        var ready = [UInt64](repeating: 0, count: Int(CDATAGRAMS_BATCH))
        while true {
            // Nothing has come for a while: the first datagram is read at once, and those after it batch by batch.
            let count = unsafe cdatagrams_wait(set, &ready, CInt(ready.count), -1)
            let start = MonotonicTime.now
            for id in ready.prefix(Int(count)) {
                state.withLock { $0.feeds[id] }?.receive(into: room, most: Self.mostBatches)
            }
            let rest = start + interval - MonotonicTime.now
            // The sockets of the feeds that are beyond so many have their turn at once. This is a pause, not a wait for
            // events: one call then reads all datagrams that came during it, which saves time.
            if rest > 0, count < ready.count { usleep(UInt32(rest / 1_000)) }
        }
    }
}
