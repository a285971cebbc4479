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
    private let count: Int
    private let renditions: [RenditionDescription]

    /// - Parameters:
    ///   - snapshot: The first contents of the channel that this process sees.
    ///   - count: The most slots before it that may be left.
    init?(before snapshot: StreamSnapshot, count: Int) {
        guard count > 0, let first = snapshot.oldestServed else { return nil }
        (self.first, self.count, renditions) = (first, count, snapshot.window.renditions)
    }

    /// Returns true if no viewer can want any of them, now that a slot has expired: it expires after all before it.
    func haveExpired(by slot: MediaSequenceNumber) -> Bool { first <= slot }

    /// The segments, those of the newest slots first.
    var files: some Sequence<SavedWindow.File> {
        (first.advanced(by: -Int64(count))..<first).reversed().lazy.flatMap { [renditions] slot in
            renditions.lazy.map { rendition in
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
}
