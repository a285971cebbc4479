import ContentProtection
import MediaCore
import Timeline

/// The keys of a channel: which are known, which are late, and what becomes of what needs one.
struct ChannelKeys: Sendable {
    private let configuration: ChannelEngine.Configuration
    /// What is known of keys; nil where nothing is encrypted.
    var timeline: KeyTimeline?
    /// What protects slots of which parts have been told, by number.
    var settled: [MediaSequenceNumber: [KeyClass: Verdict]] = [:]
    /// Classes whose keys are not there.
    var troubles: [KeyClass: KeyTrouble] = [:]
    /// The number of classes when it was said that these are more than a device has keys for; zero before.
    var classesOverBudget = 0

    /// What protects a class in a slot.
    enum Verdict: Sendable {
        case protected([KeyReference])
        case waits
        case lost
    }

    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
        timeline = configuration.cryptoPeriods.map { KeyTimeline(periods: $0, classes: configuration.keyClasses) }
    }

    /// Nil where nothing is encrypted.
    var periods: CryptoPeriods? { timeline?.periods }

    /// Decides what protects a class in a slot.
    ///
    /// - Parameters:
    ///   - keyClass: The class.
    ///   - slot: The slot.
    ///   - period: Its crypto period.
    ///   - decidedAt: UTC when the slot was decided.
    ///   - now: UTC.
    /// - Returns: The same as for parts of the slot that have been told, if there are any.
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
            // What is stored can wait for an answer, whatever that is.
            case .pending where !configuration.isPaced: false
            case .pending(let since): now >= (policy == .hold ? decidedAt + longestWait : since + patience)
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

    /// Forgets what concerns slots up to one that is done.
    mutating func forget(through slot: MediaSequenceNumber) {
        settled = settled.filter { $0.key > slot }
        timeline?.forget(before: slot)
    }

    /// The keys around a slot.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - periods: The crypto periods.
    /// - Returns: Those that are known; without those that players may fetch before they need them.
    func outlook(at slot: MediaSequenceNumber, _ periods: CryptoPeriods) -> KeyOutlook {
        let period = periods.period(of: slot)
        var outlook = KeyOutlook()
        outlook.nextKeysStart = periods.firstSlot(of: period.next).map(configuration.grid.start)
        for keyClass in KeyClass.allCases {
            outlook.keys[keyClass] = timeline?.keys(of: keyClass, in: period)
            if outlook.nextKeysStart == nil { continue }
            outlook.nextKeys[keyClass] = timeline?.keys(of: keyClass, in: period.next)
        }
        return outlook
    }

    /// Finds what players may fetch before they need it.
    ///
    /// - Parameters:
    ///   - slot: The newest slot.
    ///   - classes: Those of all renditions.
    ///   - periods: The crypto periods.
    /// - Returns: What is known of the slot's crypto period and the next; nil where nothing is.
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

    /// How long any answer may take: keys are asked for so early that most have it long before they are needed.
    var patience: MediaTime { MediaTime(ticks: configuration.grid.slotDuration.ticks / 4) }

    /// How long a slot is held back.
    ///
    /// A playlist changes 1.5 target durations after it has last changed at the latest (RFC 8216bis § 6.2.2), which was a
    /// slot before this one was decided; a quarter of a slot is left for it to be written.
    var longestWait: MediaTime {
        let promise = MediaTime(ticks: configuration.grid.longestSegment.ticks * 3 / 2)
        return promise - configuration.grid.slotDuration - patience
    }
}
