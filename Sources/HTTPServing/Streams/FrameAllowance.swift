import NIOCore

/// Decides how many frames a client of HTTP/2 may send, by its requests and its answers.
///
/// Every frame costs the server work, and one that changes nothing costs the client next to nothing: WINDOW_UPDATE by
/// one, DATA of one byte, unknown types. So each frame except HEADERS takes one of an allowance. Each window begins
/// with ``MultiplexLimits/frames`` at least. A request adds some, and so do sent bytes, for which
/// windows are updated.
struct FrameAllowance {
    /// Frames that it may still send.
    private(set) var left = MultiplexLimits.frames
    private var windowEnd: NIODeadline
    /// Bytes sent that have added no frame yet.
    private var unpaid = 0
    /// Bytes before the next head of a frame: at first, of the preface (RFC 9113 § 3.4).
    private var skipped = 24
    /// The first four of the nine bytes of a frame's head: its length and its type (§ 4.1).
    private var head: UInt32 = 0
    private var headBytes = 0

    init(now: NIODeadline) {
        windowEnd = now + MultiplexLimits.window
    }

    /// Adds bytes that were sent to the client.
    mutating func sent(_ count: Int) {
        unpaid += count
        let earned = unpaid / MultiplexLimits.bytesPerFrame
        guard earned > 0 else { return }
        unpaid -= earned * MultiplexLimits.bytesPerFrame
        left = min(left + earned, MultiplexLimits.mostFrames)
    }

    /// Counts the frames in bytes of the client.
    ///
    /// - Returns: True if it may continue.
    mutating func received(_ bytes: UnsafeRawBufferPointer, at now: NIODeadline) -> Bool {
        if now >= windowEnd {
            windowEnd = now + MultiplexLimits.window
            left = max(left, MultiplexLimits.frames)
        }
        var index = 0
        while index < bytes.count {
            let passed = min(skipped, bytes.count - index)
            skipped -= passed
            index += passed
            guard index < bytes.count else { break }
            if headBytes < 4 { head = head << 8 | UInt32(bytes[index]) }
            headBytes += 1
            index += 1
            guard headBytes == 9 else { continue }
            skipped = Int(head >> 8)
            headBytes = 0
            if head & 0xff == Self.headers {
                left = min(left + MultiplexLimits.framesPerRequest, MultiplexLimits.mostFrames)
            } else {
                left -= 1
            }
            if left < 0 { return false }
        }
        return true
    }

    private static let headers: UInt32 = 1
}
