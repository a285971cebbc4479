import ContentProtection
import MediaCore
import Synchronization

/// The keys that clients may have now, collected once for every change of the window however often they are asked for.
final class AvailableKeys: Sendable {
    private let current = Mutex((slots: Set<MediaSequenceNumber>(), keys: [KeyID: PeriodKey]()))

    /// What there is for these slots.
    ///
    /// - Parameters:
    ///   - slots: Those whose segments are listed or still served, and the live edge.
    ///   - keySchedule: Always the same.
    /// - Returns: The keys by their IDs.
    /// - Throws: What it throws.
    func keys(
        for slots: Set<MediaSequenceNumber>,
        of keySchedule: KeySchedule
    ) throws(OpenSSLError) -> [KeyID: PeriodKey] {
        // A window that has not changed shares its storage, so that comparing costs next to nothing.
        if let keys = current.withLock({ $0.slots == slots && !slots.isEmpty ? $0.keys : nil }) { return keys }
        let keys = try keySchedule.keys(availableFor: slots)
        current.withLock { $0 = (slots, keys) }
        return keys
    }
}
