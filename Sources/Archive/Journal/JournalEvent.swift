/// An event of a journal that an operator wants to know of; its description is a sentence.
package enum JournalEvent: Hashable, Sendable, CustomStringConvertible {
    case began(JournalProblem, reason: String)
    case ended(JournalProblem)
    /// A journal was found, but nothing was taken from it.
    case notRestored(reason: String)
    /// Some segments that an earlier process has listed could not be taken over.
    case lost(what: String)

    package var description: String {
        switch self {
        case .began(.late, let reason): "the journal is late: \(reason)"
        case .ended(.late): "the journal keeps up again"
        case .began(.records, let reason): "the journal cannot be written: \(reason)"
        case .ended(.records): "the journal can be written again"
        case .began(.media, let reason): "segments cannot be kept for a restart: \(reason)"
        case .ended(.media): "segments are kept for a restart again"
        case .began(.parts, let reason): "parts cannot be kept for a restart: \(reason)"
        case .ended(.parts): "parts are kept for a restart again"
        case .began(.reading, let reason): "segments on the disk cannot be served: \(reason)"
        case .ended(.reading): "segments on the disk can be served again"
        case .began(.synchronization, let reason): "the journal would not survive a power cut: \(reason)"
        case .ended(.synchronization): "the journal would survive a power cut again"
        case .began(.schedule, let reason): "scheduled posts are not kept for a restart: \(reason)"
        case .ended(.schedule): "scheduled posts are kept for a restart again"
        case .notRestored(let reason): "the journal starts anew: \(reason)"
        case .lost(let what): "some of what was published before is lost: \(what)"
        }
    }
}

/// A problem of a journal; the stream continues all the same.
package enum JournalProblem: String, Hashable, Sendable, CaseIterable {
    /// Slots are published before they are written.
    case late
    /// Slots are published and not written.
    case records
    /// Segments are not written: after a restart the window begins after the last one that is missing.
    case media
    /// Parts are not written: after a restart in the same slot, parts that viewers have are no longer listed.
    case parts
    /// Segments that are no longer in memory cannot be read: players get 503.
    case reading
    /// Bytes that were written do not reach the disk.
    case synchronization
    /// The schedule of accepted commands cannot be written.
    case schedule
}
