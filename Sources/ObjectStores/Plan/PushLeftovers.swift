import MediaCore
import Playlists
import Presentation

/// The segments that an earlier process of the channel may have left in the store.
///
/// A process that continues a window does not know the slots before it, which viewers may still fetch. The paths of
/// their segments follow from their numbers.
struct PushLeftovers: Sendable {
    /// The first slot that this process serves, or can serve.
    private let first: MediaSequenceNumber
    /// The slots that are not deleted yet.
    private var slots: Range<MediaSequenceNumber>
    private let renditions: [RenditionDescription]
    private var haveExpired = false

    /// - Parameters:
    ///   - snapshot: The first contents of the channel that this process sees.
    ///   - count: The most slots before it that may be left.
    init?(before snapshot: StreamSnapshot, count: Int) {
        guard count > 0, let first = snapshot.oldestServed else { return nil }
        (self.first, renditions) = (first, snapshot.window.renditions)
        slots = first.advanced(by: -Int64(count))..<first
    }

    /// True if nothing is left to delete.
    var isEmpty: Bool { slots.isEmpty }

    /// Notes that a slot has expired: it expires after all before it.
    mutating func expired(through slot: MediaSequenceNumber) { haveExpired = haveExpired || first <= slot }

    /// Takes the segments of the next slot, the newest first; none while a viewer may want them.
    mutating func next() -> [SavedWindow.File] {
        guard haveExpired, let slot = slots.last else { return [] }
        slots = slots.lowerBound..<slot
        return renditions.map { rendition in
            SavedWindow.File(
                path: rendition.segmentPath(slot),
                rendition: rendition.id,
                entityTag: "",
                firstNumber: slot,
                lastNumber: slot
            )
        }
    }
}
