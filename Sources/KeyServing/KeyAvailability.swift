package import ContentProtection

/// The state of a key, as a client may know it.
package enum KeyAvailability: Hashable, Sendable {
    case available(PeriodKey)
    /// The key becomes available in so many seconds.
    case early(seconds: Int)
    /// A key that does not exist, or no longer; clients do not learn which.
    case unknown
}
