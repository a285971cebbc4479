import ContentProtection
import MediaCore
import Timeline

/// The keys of a channel: known ones, late ones, and the treatment of segments that need one.
struct ChannelKeys: Sendable {
    private let configuration: ChannelEngine.Configuration
    /// The timeline of keys; nil if nothing is encrypted.
    var timeline: KeyTimeline?
    /// The protection of slots whose parts were handed out, by number.
    var settled: [MediaSequenceNumber: [KeyClass: Verdict]] = [:]
    /// The classes whose keys are missing.
    var outages: [KeyClass: KeyOutage] = [:]
    /// The number of classes at the last report that these are more than a device has keys for; zero before.
    var classesOverBudget = 0

    /// The protection of a class in a slot.
    enum Verdict: Sendable {
        case protected([KeyReference])
        case waits
        case lost
    }

    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
        timeline = configuration.cryptoPeriods.map { KeyTimeline(periods: $0, classes: configuration.keyClasses) }
    }

    /// The crypto periods; nil if nothing is encrypted.
    var periods: CryptoPeriods? { timeline?.periods }

    /// Decides on the protection of a class in a slot.
    ///
    /// - Parameters:
    ///   - keyClass: The class.
    ///   - slot: The slot.
    ///   - period: Its crypto period.
    ///   - decidedAt: The time at which the slot was decided, in UTC.
    ///   - now: The time now, in UTC.
    /// - Returns: The same as for parts of the slot that were handed out, if there are any.
    func verdict(
        on keyClass: KeyClass,
        in slot: MediaSequenceNumber,
        _ period: CryptoPeriod,
        decidedAt: MediaTime,
        now: MediaTime
    ) -> Verdict {
        if let settled = settled[slot]?[keyClass] { return settled }
        if let known = timeline?.keys(of: keyClass, in: period) { return .protected(known) }
        let policy = policy(for: keyClass)
        let isDue =
            switch timeline?.state(of: keyClass, in: period) {
            // A stored feed can wait for an answer.
            case .pending where !configuration.isPaced: false
            case .pending(let since, _): now >= (policy == .hold ? decidedAt + longestWait : since + patience)
            case .failed: policy != .hold || !configuration.isPaced || now >= decidedAt + longestWait
            case .known, nil: true
            }
        guard isDue else { return .waits }
        if policy == .reuse, let before = timeline?.keysInForce[keyClass] { return .protected(before.keys) }
        return .lost
    }

    private func policy(for keyClass: KeyClass) -> LateKey {
        configuration.lateKey == .reuse && timeline?.keysInForce[keyClass] == nil ? .hold : configuration.lateKey
    }

    /// Forgets the keys and verdicts of slots up to one that is done.
    mutating func forget(through slot: MediaSequenceNumber) {
        settled = settled.filter { $0.key > slot }
        timeline?.forget(before: slot)
    }

    /// Returns the keys around a slot.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - periods: The crypto periods.
    /// - Returns: The known keys, without those that players may fetch before they need them.
    func slotKeys(at slot: MediaSequenceNumber, _ periods: CryptoPeriods) -> SlotKeys {
        let period = periods.period(of: slot)
        var slotKeys = SlotKeys()
        slotKeys.nextKeysStart = periods.firstSlot(of: period.next).map(configuration.grid.start)
        for keyClass in KeyClass.allCases {
            slotKeys.keys[keyClass] = timeline?.keys(of: keyClass, in: period)
            if slotKeys.nextKeysStart == nil { continue }
            slotKeys.nextKeys[keyClass] = timeline?.keys(of: keyClass, in: period.next)
        }
        return slotKeys
    }

    /// Returns the keys that players may fetch before they need them.
    ///
    /// - Parameters:
    ///   - slot: The newest slot.
    ///   - classes: The key classes of all renditions.
    ///   - periods: The crypto periods.
    /// - Returns: The known keys of the slot's crypto period and of the next; nil if none is known.
    func sessionKeys(
        at slot: MediaSequenceNumber,
        of classes: Set<KeyClass>,
        _ periods: CryptoPeriods
    ) -> [KeyReference]? {
        guard configuration.offersSessionKeys else { return [] }
        let known = periods.periods(from: slot, following: 1).flatMap { period in
            KeyClass.allCases.filter(classes.contains).flatMap { timeline?.keys(of: $0, in: period) ?? [] }
        }
        return known.isEmpty ? nil : known
    }

    /// The time that any answer may take: keys are asked for so early that most come long before they are needed.
    var patience: MediaTime {
        let quarter = MediaTime(ticks: configuration.grid.slotDuration.ticks / 4)
        return configuration.horizon.partDuration.map { min($0, quarter) } ?? quarter
    }

    /// The longest time for which a slot, or a part, is held back.
    ///
    /// A part is held back no longer than it may last: the parts of all classes leave in order, and players wait for
    /// the next. A playlist of slots changes at the latest 1.5 target durations after its last change (RFC 8216bis §
    /// 6.2.2). That was a slot before this one was decided, and a quarter of a slot is left for writing.
    var longestWait: MediaTime {
        if let part = configuration.horizon.partDuration { return part }
        let promise = MediaTime(ticks: configuration.grid.longestSegment.ticks * 3 / 2)
        return promise - configuration.grid.slotDuration - patience
    }
}
