package import MediaCore

/// The horizon at which a channel's decisions are final: published facts do not change, the rest may.
package enum CommitHorizon: Hashable, Sendable {
    /// A slot is decided when it is over: the source that has most of it fills it, and a late cut may be moved back.
    case slot
    /// A slot is decided in parts that last no longer than this: its first part says which source fills it, and where that
    /// dies the rest is gaps.
    case part(duration: MediaTime)

    /// EXT-X-PART-INF's PART-TARGET; nil if there are no parts.
    package var partDuration: MediaTime? {
        switch self {
        case .slot: nil
        case .part(let duration): duration
        }
    }
}
