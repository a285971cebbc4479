import Dispatch
package import Packaging
package import Playlists
import Presentation
package import Segmenting
import Synchronization

/// Writes the segments of one rendition, one after the other, on a queue of its own.
///
/// Renditions are written side by side, and one that takes too long holds up no other: it has gaps until it is done.
package final class RenditionWriter: Sendable {
    /// Makes the writer of a rendition's segments.
    package typealias Factory = @Sendable (SegmentForm, RenditionID) -> sending any SegmentWriter

    let form: SegmentForm
    private let queue: DispatchQueue
    private let writer: Mutex<any SegmentWriter>
    /// The number of segments that are not written yet.
    private let underWay = Atomic(0)

    /// The outcome of one segment.
    final class Outcome: Sendable {
        fileprivate let result = Mutex<Result<PublishedSegment, any Error>?>(nil)
        fileprivate let done = DispatchSemaphore(value: 0)

        /// - Returns: The segment, or the error of writing it; nil if it is not there in time.
        func wait(until deadline: DispatchTime) -> Result<PublishedSegment, any Error>? {
            guard done.wait(timeout: deadline) == .success else { return nil }
            return result.withLock { $0 }
        }
    }

    init(_ form: SegmentForm, id: RenditionID, _ make: Factory) {
        self.form = form
        queue = DispatchQueue(label: "writing.\(id)", qos: .userInitiated)
        writer = Mutex(make(form, id))
    }

    /// Begins to write a segment.
    ///
    /// - Returns: The outcome; nil if one segment is still being written and another one waits for it.
    func begin(_ contents: SegmentContents) -> Outcome? {
        guard underWay.load(ordering: .acquiring) < 2 else { return nil }
        underWay.add(1, ordering: .acquiringAndReleasing)
        let outcome = Outcome()
        queue.async { [self] in
            let result = writer.withLock { writer in Result { try writer.write(contents) } }
            outcome.result.withLock { $0 = result }
            underWay.subtract(1, ordering: .acquiringAndReleasing)
            outcome.done.signal()
        }
        return outcome
    }
}
