import ContentProtection
import MediaCore

/// The missing keys of one class, from the source's report or the first slot without a key until a key arrives.
struct KeyOutage: Sendable {
    /// The effect on viewers, from none to worst.
    enum Effect: Int, Comparable {
        case none, held, reused, gaps

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The first crypto period without a key.
    let period: CryptoPeriod
    let since: MediaTime
    /// The worst effect that was reported.
    var effect: Effect
    /// True if the answer of the source was reported.
    var isExplained: Bool
}
