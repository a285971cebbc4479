import ContentProtection
import MediaCore
import Timeline

/// The slots with which a channel first begins: they go out in the clear, so that players can begin before they have a
/// licence.
///
/// It follows from the slot with which the channel first began: a restart has none of its own. Members of a pair that begin
/// together may each begin with another slot; that of the earlier one counts, once the other has heard of it.
struct ClearLead: Sendable {
    private let configuration: ChannelEngine.Configuration

    /// - Parameter configuration: How many slots it has, and which share their keys.
    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
    }

    /// The slot with which protection begins.
    ///
    /// - Parameters:
    ///   - slot: The channel begins with it where nothing was published before.
    ///   - first: The first that was ever published, as far as that is known.
    /// - Returns: The first slot behind the clear lead; nil where there is none.
    func end(at slot: MediaSequenceNumber, first: MediaSequenceNumber?) -> MediaSequenceNumber? {
        guard configuration.clearLead > 0 else { return nil }
        return min(first ?? slot, slot).advanced(by: configuration.clearLead)
    }

    /// What protects what has a key.
    ///
    /// - Parameters:
    ///   - protection: What would outside the clear lead.
    ///   - slot: Which it is in.
    ///   - first: As of ``end(at:first:)``.
    /// - Returns: The same, or that it is in the clear lead.
    func protection(
        _ protection: SegmentProtection,
        in slot: MediaSequenceNumber,
        first: MediaSequenceNumber?
    ) -> SegmentProtection {
        guard case .keys = protection, let end = end(at: slot, first: first), slot < end else { return protection }
        return .clearLead
    }

    /// The next keys: in the clear lead the first that are used, else those of the next crypto period.
    ///
    /// - Parameters:
    ///   - outlook: The keys around a slot.
    ///   - slot: The newest.
    ///   - first: As of ``end(at:first:)``.
    /// - Returns: Those that are known, and UTC from which on they are used; nil where keys never change.
    func nextKeys(
        _ outlook: KeyOutlook,
        at slot: MediaSequenceNumber,
        first: MediaSequenceNumber?
    ) -> NextKeys? {
        guard let periods = configuration.cryptoPeriods, let end = end(at: slot, first: first), slot < end else {
            return outlook.nextKeysStart.map { NextKeys(keys: outlook.nextKeys, start: $0) }
        }
        let start = configuration.grid.start(of: end)
        return switch periods.period(of: end) {
        case periods.period(of: slot): NextKeys(keys: outlook.keys, start: start)
        case periods.period(of: slot).next: NextKeys(keys: outlook.nextKeys, start: start)
        default: NextKeys(keys: [:], start: start)
        }
    }
}

/// The keys that are used next.
struct NextKeys: Sendable {
    /// Those that are known, once for each key system.
    var keys: [KeyClass: [KeyReference]]
    /// UTC from which on they are used.
    var start: MediaTime
}
