import MediaCore
import Playlists
import Presentation
import Segmenting
import Synchronization

/// The writers of a channel's renditions, one for each form that segments are made in.
///
/// Parts come as they are decided, and segments when `Publisher` has carried out the decisions before them. A writer
/// may therefore have parts of a slot before the segments of the previous slot, which may have another form.
final class RenditionWriters: Sendable {
    private struct Key: Hashable {
        let id: RenditionID
        let form: SegmentForm
    }

    private struct Entry {
        let writer: RenditionWriter
        /// The newest slot that it has written something of.
        var newest: MediaSequenceNumber
    }

    /// The time that a part may take to be written; nil for any time.
    let patience: MediaTime?
    private let inParts: Bool
    private let table = Mutex<[Key: Entry]>([:])
    private let parts: PartPublisher
    private let make: RenditionWriter.Factory

    /// - Parameters:
    ///   - inParts: True if slots are published in parts.
    ///   - patience: The time that a part may take to be written; nil for any time.
    ///   - make: Makes the writer of a rendition's segments.
    ///   - publish: Publishes a part of a rendition.
    init(
        inParts: Bool,
        patience: MediaTime?,
        _ make: @escaping RenditionWriter.Factory,
        publish: @escaping @Sendable (PublishedPart, RenditionID) -> Void
    ) {
        self.inParts = inParts
        self.patience = patience
        self.make = make
        parts = PartPublisher(publish)
    }

    /// Begins to write a part, which is published once it is written and the batch before it is carried out.
    ///
    /// The call does not block; calls follow the order of the decisions.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - now: The time now, in UTC.
    ///   - batch: The number of the batch that must be carried out first.
    func begin(_ part: ChannelEngine.PartDecision, at now: MediaTime, after batch: Int) {
        writer(of: part.id, part.form, for: part.cut.number).begin(part, at: now, after: batch)
    }

    /// Begins to write a segment.
    ///
    /// - Returns: The outcome; nil if it will not be written in time.
    func begin(
        _ segment: ChannelEngine.SlotDecision.Segment,
        of number: MediaSequenceNumber
    ) -> RenditionWriter.Outcome? {
        writer(of: segment.id, segment.form, for: number).begin(segment.contents)
    }

    /// Releases the writers that neither the segments of a slot nor later parts need.
    func keep(_ segments: [ChannelEngine.SlotDecision.Segment], of number: MediaSequenceNumber) {
        let used = Set(segments.map { Key(id: $0.id, form: $0.form) })
        table.withLock { table in
            for (key, entry) in table where !used.contains(key) && entry.newest <= number { table[key] = nil }
        }
    }

    /// Publishes the parts that have waited for a batch.
    func carriedOut(_ batch: Int) {
        parts.carriedOut(batch)
        for writer in table.withLock({ $0.values.map(\.writer) }) { writer.publishParts() }
    }

    /// Publishes no parts any more.
    func stop() { parts.stop() }

    private func writer(of id: RenditionID, _ form: SegmentForm, for number: MediaSequenceNumber) -> RenditionWriter {
        table.withLock { table in
            let key = Key(id: id, form: form)
            if let index = table.index(forKey: key) {
                table.values[index].newest = max(table.values[index].newest, number)
                return table.values[index].writer
            }
            let writer = RenditionWriter(form, id: id, inParts: inParts, patience: patience, make, parts)
            table[key] = Entry(writer: writer, newest: number)
            return writer
        }
    }
}
