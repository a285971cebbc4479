import Dispatch
import Glibc
package import MediaCore
import NIOCore
import Synchronization

/// Makes thumbnails for all channels, one after the other, on a thread that gives way to those that read, package and
/// serve.
///
/// The thread starts with the first request.
package final class ThumbnailMaker: Sendable {
    private typealias Job = (frame: KeyFrame, done: CheckedContinuation<Thumbnail?, Never>)

    private struct Queue {
        var jobs = CircularBuffer<Job>()
        var hasThread = false
        var madeCount = 0
    }

    private let queue = Mutex(Queue())
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    /// Key frames that were decoded.
    var madeCount: Int { queue.withLock { $0.madeCount } }

    /// Makes one.
    ///
    /// - Parameter frame: The key frame to show.
    /// - Returns: The thumbnail; nil if it cannot be made.
    package func thumbnail(of frame: KeyFrame) async -> Thumbnail? {
        await withCheckedContinuation { done in
            let needsThread = queue.withLock { queue in
                queue.jobs.append((frame, done))
                defer { queue.hasThread = true }
                return !queue.hasThread
            }
            if needsThread, !startThread(named: "thumbnails", { self.run() }) {
                let jobs = queue.withLock { queue in
                    defer { queue = Queue() }
                    return queue.jobs
                }
                for job in jobs { job.done.resume(returning: nil) }
            }
            wake.signal()
        }
    }

    private func run() {
        // Of this thread alone.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        while true {
            wake.wait()
            let job = queue.withLock { queue in
                if !queue.jobs.isEmpty { queue.madeCount += 1 }
                return queue.jobs.popFirst()
            }
            guard let job else { continue }
            job.done.resume(returning: Self.make(job.frame))
        }
    }

    static func make(_ frame: KeyFrame) -> Thumbnail? {
        guard let (codec, bytes) = frame.packet else { return nil }
        do throws(FFmpegError) {
            var decoder = try PictureDecoder(codec, header: [])
            let small = try unsafe decoder.decodeAlone(bytes.span.bytes) { unsafe SmallPicture($0) }
            guard let small else { return nil }
            return Thumbnail(bytes: try JPEGEncoder.encode(small), width: small.width, height: small.height)
        } catch {
            return nil
        }
    }
}
