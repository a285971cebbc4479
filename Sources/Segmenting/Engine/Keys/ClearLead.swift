import ContentProtection
import MediaCore
import Timeline

/// The unencrypted slots at a channel's first start, so that players can begin before they have a licence.
///
/// The clear lead follows from the channel's first slot, so a restart does not add another. Members of a pair that
/// begin together may begin with different slots; the earlier one counts once the other member has received it.
struct ClearLead: Sendable {
    private let configuration: ChannelEngine.Configuration

    /// - Parameter configuration: The configuration, with the number of clear slots and the crypto periods.
    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
    }

    /// Returns the first protected slot.
    ///
    /// - Parameters:
    ///   - slot: The first slot of the channel, if nothing was published before.
    ///   - first: The first slot that was ever published; nil if unknown.
    /// - Returns: The first slot after the clear lead; nil without one.
    func end(at slot: MediaSequenceNumber, first: MediaSequenceNumber?) -> MediaSequenceNumber? {
        guard configuration.clearLead > 0 else { return nil }
        return min(first ?? slot, slot).advanced(by: configuration.clearLead)
    }

    /// Compares a slot with the clear lead.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - first: As in ``end(at:first:)``.
    /// - Returns: True if the slot lies in it.
    func covers(_ slot: MediaSequenceNumber, first: MediaSequenceNumber?) -> Bool {
        end(at: slot, first: first).map { slot < $0 } ?? false
    }

    /// Returns the next keys: in the clear lead the first that are used, otherwise those of the next crypto period.
    ///
    /// - Parameters:
    ///   - slotKeys: The keys around a slot.
    ///   - slot: The newest slot.
    ///   - first: As in ``end(at:first:)``.
    /// - Returns: The known keys, with the time in UTC from which on they are used; nil if keys never change.
    func nextKeys(
        _ slotKeys: SlotKeys,
        at slot: MediaSequenceNumber,
        first: MediaSequenceNumber?
    ) -> NextKeys? {
        guard let periods = configuration.cryptoPeriods, let end = end(at: slot, first: first), slot < end else {
            return slotKeys.nextKeysStart.map { NextKeys(keys: slotKeys.nextKeys, start: $0) }
        }
        let start = configuration.grid.start(of: end)
        return switch periods.period(of: end) {
        case periods.period(of: slot): NextKeys(keys: slotKeys.keys, start: start)
        case periods.period(of: slot).next: NextKeys(keys: slotKeys.nextKeys, start: start)
        default: NextKeys(keys: [:], start: start)
        }
    }
}

/// The keys that are used next.
struct NextKeys: Sendable {
    /// The known keys, once for each key system.
    var keys: [KeyClass: [KeyReference]]
    /// The time from which on they are used, in UTC.
    var start: MediaTime
}
