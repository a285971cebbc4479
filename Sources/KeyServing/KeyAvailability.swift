package import ContentProtection

/// What there is to say of a key ID.
package enum KeyAvailability: Hashable, Sendable {
    case available(PeriodKey)
    /// The key may be had in so many seconds.
    case early(seconds: Int)
    /// There is none, or none any more: which of them is nobody's business.
    case unknown
}
