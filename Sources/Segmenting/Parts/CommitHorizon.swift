package import MediaCore

/// The horizon at which a channel's decisions are final: published facts do not change, the rest may.
package enum CommitHorizon: Hashable, Sendable {
    /// A slot is decided when it is over: the source that has most of it fills it, and a late cut may be moved back.
    case slot
    /// A slot is decided in parts of at most this duration. Its first part fixes its source, and if that dies the rest
    /// of the slot is gaps.
    case part(duration: MediaTime)

    /// EXT-X-PART-INF's PART-TARGET; nil if there are no parts.
    package var partDuration: MediaTime? {
        switch self {
        case .slot: nil
        case .part(let duration): duration
        }
    }
}
