import Dispatch
import Glibc
import MediaCore
import NIOCore
import Synchronization

/// The lines of a request log on their way to its writer.
///
/// Each thread that answers requests has a buffer, so that they do not wait for each other. A buffer is handed over
/// when it is full, or a tenth of a second after its first line. So the writer wakes once for many lines.
final class AccessLines: Sendable {
    private struct Buffer {
        var bytes = ByteBuffer()
        var count = 0
        /// True if it is going to be handed over.
        var isDue = false
        var time = AccessTimeText()

        /// Takes out all lines, without the break of the last one.
        mutating func take() -> (text: String, count: Int)? {
            defer {
                bytes.clear()
                count = 0
            }
            guard count > 0, let text = bytes.getString(at: bytes.readerIndex, length: bytes.readableBytes - 1) else {
                return nil
            }
            return (text, count)
        }
    }

    private final class Part: Sendable {
        let buffer = Mutex(Buffer())
    }

    /// The length of a buffer from which on it is full.
    private static let length = 32 * 1024
    private static let delay = DispatchTimeInterval.milliseconds(100)

    private let sink: AccessLog.Sink
    private let parts = (0..<ThreadPart.count).map { _ in Part() }

    init(_ sink: AccessLog.Sink) {
        self.sink = sink
    }

    deinit { handOver() }

    func append(_ record: AccessRecord<some Collection<UInt8>>) {
        let time = Self.now
        let part = parts[ThreadPart.own]
        let (full, isFirst) = part.buffer.withLock { buffer -> ((text: String, count: Int)?, Bool) in
            record.write(to: &buffer.bytes, sink.format, at: time, &buffer.time)
            buffer.count += 1
            defer { buffer.isDue = true }
            return (buffer.bytes.readableBytes < Self.length ? nil : buffer.take(), !buffer.isDue)
        }
        if let full { sink.write(full.text, full.count) }
        guard isFirst else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.handOver(part) }
    }

    /// UTC by the machine's clock, counted from 1970.
    private static var now: MediaTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return MediaTime(seconds: Int64(time.tv_sec)) + MediaTime(Int64(time.tv_nsec), timescale: 1_000_000_000)
    }

    /// Hands over all lines that wait.
    func handOver() { for part in parts { handOver(part) } }

    private func handOver(_ part: Part) {
        let lines = part.buffer.withLock { buffer in
            buffer.isDue = false
            return buffer.take()
        }
        if let lines { sink.write(lines.text, lines.count) }
    }
}
