import ContentProtection
import MediaCore

/// Keys of one class that are not there: from when the source says so, or a slot needs one, until there is one again.
struct KeyTrouble: Sendable {
    /// What it means to viewers, from nothing to worst.
    enum Effect: Int, Comparable {
        case none, held, reused, gaps

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The first that is not there.
    let period: CryptoPeriod
    let since: MediaTime
    /// The worst that was told.
    var effect: Effect
    /// Whether it was told what the source says.
    var isExplained: Bool
}
