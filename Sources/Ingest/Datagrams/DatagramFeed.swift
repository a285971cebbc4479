import Dispatch
import Glibc
import MediaCore
import Synchronization

/// The datagrams of one feed, from its socket to the thread of its reader.
///
/// The thread of ``DatagramReceiver`` puts them in, and the reader takes all that has come at a time. A reader that
/// falls behind loses the newest datagrams, and no other feed loses any.
final class DatagramFeed: Sendable {
    private struct State {
        var arrivals: DatagramArrivals
        /// The error code that the reader gets behind the last bytes.
        var failure: Int32?
        var isWaitedFor = false
    }

    let form: DatagramAddress.Form
    private let timeout: Duration?
    private let socket: Mutex<DatagramSocket?>
    private let state: Mutex<State>
    /// Locked by the reader's thread alone.
    private let cursor = Mutex(DatagramCursor())
    private let arrival = DispatchSemaphore(value: 0)
    private let signal: StopSignal
    private let receiver: DatagramReceiver
    private let id = Mutex<UInt64>(0)

    /// The bytes of a socket's buffer: 40 ms at 100 Mbit/s.
    private static let enoughBytes = 512 << 10

    /// Opens the port; datagrams are kept from now on.
    ///
    /// - Parameters:
    ///   - address: The port, and the options for reading it.
    ///   - allowed: The allowed senders; empty for any.
    ///   - besideOthers: True if others may have the port open.
    ///   - isPrompt: True if the socket is read every 6 ms, and not every 18.
    ///   - signal: Ends the waiting of the reader.
    /// - Throws: `FFmpegError` where the port cannot be opened, or a group cannot be joined.
    init(
        _ address: DatagramAddress,
        allowed: [AddressRange],
        besideOthers: Bool,
        isPrompt: Bool,
        signal: StopSignal
    ) throws(FFmpegError) {
        (form, timeout) = (address.form, address.timeout)
        self.signal = signal
        let socket = try DatagramSocket(address, besideOthers: besideOthers)
        self.socket = Mutex(socket)
        state = Mutex(State(arrivals: DatagramArrivals(address, allowed: allowed, isPrompt: isPrompt)))
        receiver = isPrompt || socket.byteCount < Self.enoughBytes ? .prompt : .shared
        let id = try receiver.add(self, socket.descriptor)
        self.id.withLock { $0 = id }
    }

    /// Gives the port up.
    func close() {
        receiver.remove(id.withLock { $0 })
        socket.withLock { $0 = nil }
    }

    /// Takes the datagrams that have come to the socket; called by the receiver's thread.
    ///
    /// - Parameters:
    ///   - room: The memory for reading.
    ///   - most: The most batches to read.
    func receive(into room: borrowing DatagramBuffer, most: Int) {
        let mustWake = socket.withLock { socket in
            guard let socket else { return false }
            return state.withLock { state in
                do throws(FFmpegError) {
                    for _ in 0..<most {
                        guard try room.receive(from: socket.descriptor, into: &state.arrivals) else { break }
                    }
                } catch {
                    // An ICMP message about sent datagrams says nothing about incoming ones.
                    if error.code != FFmpegError.connectionRefused { state.failure = error.code }
                }
                if state.arrivals.hasOverflowed { state.failure = FFmpegError.posix(EIO) }
                guard state.isWaitedFor, state.failure != nil || state.arrivals.isDue(at: MonotonicTime.now) else {
                    return false
                }
                state.isWaitedFor = false
                return true
            }
        }
        if mustWake { arrival.signal() }
    }

    /// Waits for bytes of the feed; called by the reader's thread.
    ///
    /// - Parameters:
    ///   - buffer: Filled from its beginning on.
    ///   - pieces: Gets the pieces of datagrams that were read.
    ///   - onNotice: Gets the notices about them.
    /// - Returns: The number of bytes, or a code of ``FFmpegError``.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        _ pieces: inout [DatagramBatch.Datagram],
        onNotice: (InputNotice) -> Void
    ) -> Int32 {
        let start = MonotonicTime.now
        while !signal.isRaised {
            let count = cursor.withLock { unsafe $0.read(into: buffer, &pieces) }
            if count > 0 { return Int32(count) }
            let (notices, failure) = cursor.withLock { cursor in
                state.withLock { state in
                    let isEmpty = state.arrivals.batch.bytes.isEmpty
                    if isEmpty { state.isWaitedFor = true } else { state.arrivals.exchange(with: &cursor) }
                    let failure = isEmpty ? state.failure : nil
                    return (state.arrivals.takeNotices(at: MonotonicTime.now, isLast: failure != nil), failure)
                }
            }
            for notice in notices { onNotice(notice) }
            if let failure { return failure }
            if !cursor.withLock({ $0.isAtEnd }) { continue }
            if let timeout, MonotonicTime.now - start > timeout.nanoseconds { return FFmpegError.posix(ETIMEDOUT) }
            _ = arrival.wait(timeout: .now() + .milliseconds(100))
        }
        let notices = state.withLock { $0.arrivals.takeNotices(at: MonotonicTime.now, isLast: true) }
        for notice in notices { onNotice(notice) }
        return FFmpegError.exitRequested
    }

    /// Waits for the first packet of RTP.
    ///
    /// - Returns: Its payload type; nil if the reader is to end, or reading fails.
    func payloadType() -> UInt8? {
        let start = MonotonicTime.now
        while !signal.isRaised {
            let (type, hasFailed) = state.withLock { state in
                state.isWaitedFor = state.arrivals.rtp?.payloadType == nil
                return (state.arrivals.rtp?.payloadType, state.failure != nil)
            }
            if type != nil || hasFailed { return type }
            if let timeout, MonotonicTime.now - start > timeout.nanoseconds { return nil }
            _ = arrival.wait(timeout: .now() + .milliseconds(100))
        }
        return nil
    }
}
