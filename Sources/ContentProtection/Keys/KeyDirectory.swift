package import MediaCore

/// Knows the keys that clients may have.
package protocol KeyDirectory: Sendable {
    var periods: CryptoPeriods { get }
    var classes: KeyClasses { get }

    /// True if the key of any period is known at any time.
    var isDerived: Bool { get }

    /// A number that changes whenever more keys are known.
    var revision: Int { get }

    /// The key of one class of tracks in one period; nil if it is not known.
    func key(for period: CryptoPeriod, _ keyClass: KeyClass) throws -> PeriodKey?

    /// The ID of that key; nil if it is not known.
    func keyID(for period: CryptoPeriod, _ keyClass: KeyClass) throws -> KeyID?

    /// All keys that a client may have now, by their IDs.
    ///
    /// A key may be had while a slot of its period is among `slots`, and one period early, for players that fetch ahead.
    ///
    /// - Parameter slots: The slots whose segments are listed or still served, and the live edge, in any order.
    /// - Returns: Keys of this channel only.
    /// - Throws: An error if the known keys cannot be had.
    func keys(availableFor slots: Set<MediaSequenceNumber>) throws -> [KeyID: PeriodKey]

    /// Asks a source for the keys of slots that another packager or run has published.
    ///
    /// - Returns: The source's reason for a period without any key; nil if each period has some.
    @discardableResult
    func recall(_ slots: Set<MediaSequenceNumber>, from source: any KeySource) async -> String?
}
