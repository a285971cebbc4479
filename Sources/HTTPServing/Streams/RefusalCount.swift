import NIOCore

/// Counts the malformed requests of a client.
///
/// Each costs a frame that the client need not read, and maybe the beginning of an answer.
struct RefusalCount {
    private var count = 0
    private var windowEnd = NIODeadline.uptimeNanoseconds(0)

    /// Counts one.
    ///
    /// - Returns: True while there are not more than ``MultiplexLimits/refusals`` in a window, which begins with the first.
    mutating func add(at now: NIODeadline) -> Bool {
        if now >= windowEnd { (count, windowEnd) = (0, now + MultiplexLimits.window) }
        count += 1
        return count <= MultiplexLimits.refusals
    }
}
