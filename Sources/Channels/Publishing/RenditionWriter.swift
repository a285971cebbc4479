import Dispatch
import MediaCore
package import Packaging
package import Playlists
import Presentation
package import Segmenting
import Synchronization

/// Writes the segments of one rendition and their parts, in order, on a separate queue.
///
/// Renditions are written concurrently, and a slow one does not delay the others: it has gaps until it is done.
package final class RenditionWriter: Sendable {
    /// Makes the writer of a rendition's segments.
    package typealias Factory = @Sendable (SegmentForm, RenditionID) -> sending any SegmentWriter

    private let id: RenditionID
    private let queue: DispatchQueue
    private let writer: Mutex<any SegmentWriter>
    /// The number of segments that are not written yet.
    private let underWay = Atomic(0)
    private let line: Mutex<PartLine>
    /// Held while parts are published: they come in order, and all of them before their segment.
    private let publishing = Mutex(())
    private let parts: PartPublisher

    /// The outcome of one segment.
    final class Outcome: Sendable {
        private let result = Mutex<Result<PublishedSegment, any Error>?>(nil)
        private let done = DispatchSemaphore(value: 0)

        /// - Returns: The segment, or the error of writing it; nil if it is not there in time.
        func wait(until deadline: DispatchTime) -> Result<PublishedSegment, any Error>? {
            guard done.wait(timeout: deadline) == .success else { return nil }
            return result.withLock { $0 }
        }

        fileprivate func finish(_ result: Result<PublishedSegment, any Error>?) {
            self.result.withLock { $0 = result }
            done.signal()
        }
    }

    init(
        _ form: SegmentForm,
        id: RenditionID,
        inParts: Bool,
        patience: MediaTime?,
        _ make: Factory,
        _ parts: PartPublisher
    ) {
        self.id = id
        self.parts = parts
        // Segments are only computed: as many threads as cores do that for all channels. Parts may wait for a journal.
        let shared = inParts ? nil : DispatchQueue.global(qos: .userInitiated)
        queue = DispatchQueue(label: "writing.\(id)", qos: .userInitiated, target: shared)
        writer = Mutex(make(form, id))
        line = Mutex(PartLine(patience: patience))
    }

    /// Begins to write a segment, or a gap, whose parts were begun before; they are published once it is done.
    ///
    /// - Returns: The outcome; nil if one segment is still being written and another one waits for it.
    func begin(_ contents: SegmentContents) -> Outcome? {
        guard underWay.load(ordering: .acquiring) < 2 else { return nil }
        let outcome = Outcome()
        if let loss = loss(of: contents) {
            // The writer, which publishes parts otherwise, may stand still.
            publishParts()
            outcome.finish(loss.result)
            return outcome
        }
        underWay.add(1, ordering: .acquiringAndReleasing)
        queue.async { [self] in
            let result = write(contents)
            publishParts()
            underWay.subtract(1, ordering: .acquiringAndReleasing)
            outcome.finish(loss(of: contents).map(\.result) ?? result)
        }
        return outcome
    }

    /// Begins to write a part.
    func begin(_ part: ChannelEngine.PartDecision, at now: MediaTime, after batch: Int) {
        let work = line.withLock { $0.add(part, at: now, after: batch) }
        if work.mustWrite { queue.async { [self] in writeParts() } }
        if work.mustPublish { DispatchQueue.global(qos: .userInitiated).async { [self] in publishParts() } }
    }

    /// Publishes the parts that can be by now.
    func publishParts() { publishing.withLock { _ in parts.publish(line, of: id) } }

    private func write(_ contents: SegmentContents) -> Result<PublishedSegment, any Error> {
        if contents.isGap { return .success(PublishedSegment(gap: contents.cut)) }
        return writer.withLock { writer in Result { try writer.write(contents) } }
    }

    private func writeParts() {
        while let part = line.withLock({ $0.next() }) {
            let result = writer.withLock { writer in Result { try writer.write(part) } }
            line.withLock { $0.finish(result) }
            publishParts()
        }
    }

    /// The loss of a part of a segment.
    private func loss(of contents: SegmentContents) -> PartLine.Loss? {
        contents.partCount == 0 ? nil : line.withLock { $0.loss(of: contents.cut.number) }
    }
}

extension PartLine.Loss {
    /// The outcome of its segment; nil if it was late.
    fileprivate var result: Result<PublishedSegment, any Error>? {
        switch self {
        case .late: nil
        case .failed(let error): .failure(error)
        }
    }
}
