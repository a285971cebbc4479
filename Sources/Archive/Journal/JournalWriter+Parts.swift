import MediaCore
import Playlists

extension JournalWriter {
    /// A file that grows with the parts of its segment.
    struct Growth: Hashable, Sendable {
        var rendition: RenditionID
        var number: MediaSequenceNumber
        var byteCount = 0
        /// True if the next segment may begin with other bytes: an earlier process has published parts of it, or it
        /// was a gap.
        var isInherited = false
    }

    /// The fate of a part.
    enum PartOutcome: Hashable, Sendable {
        case written
        /// The part has been written, or its slot is over.
        case known
        case lost(reason: String)

        var isLoss: Bool { problem != nil }
        var problem: String? { if case .lost(let reason) = self { reason } else { nil } }
    }
}
