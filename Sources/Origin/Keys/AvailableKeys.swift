import ContentProtection
import MediaCore
import Synchronization

/// The keys that clients may have now.
///
/// They are collected once for every change of the window or of the known keys, even if requests are frequent.
final class AvailableKeys: Sendable {
    private let current = Mutex((slots: Set<MediaSequenceNumber>(), revision: 0, keys: [KeyID: PeriodKey]()))

    /// Returns the keys for these slots.
    ///
    /// - Parameters:
    ///   - slots: The slots whose segments are listed or still served, and the live edge.
    ///   - directory: Always the same.
    /// - Returns: The keys by their IDs.
    /// - Throws: The error of the directory.
    func keys(
        for slots: Set<MediaSequenceNumber>,
        of directory: any KeyDirectory
    ) throws -> [KeyID: PeriodKey] {
        let revision = directory.revision
        // An unchanged window shares its storage, so that the comparison is cheap.
        let known = current.withLock { current in
            current.slots == slots && current.revision == revision && !slots.isEmpty ? current.keys : nil
        }
        if let known { return known }
        let keys = try directory.keys(availableFor: slots)
        current.withLock { $0 = (slots, revision, keys) }
        return keys
    }
}
