package import MediaCore

/// The state of a channel's keys, for each crypto period and class.
///
/// It decides which keys to request, and holds the public part of each key, never the key.
package struct KeyTimeline: Sendable {
    package enum State: Hashable, Sendable {
        /// Requested, and not answered; if it was requested before, with the last reason for having none.
        case pending(since: MediaTime, lastFailure: String?)
        /// The references, one for each key system; all name the same key.
        case known([KeyReference])
        /// The source refused; it is asked again with the next slot, if any rendition is of that class.
        case failed(reason: String, since: MediaTime)
    }

    /// Keys that have to be asked for.
    package struct Request: Hashable, Sendable {
        package var period: CryptoPeriod
        package var classes: [KeyClass]
    }

    /// A key that has protected a segment.
    package struct KeyInForce: Hashable, Sendable {
        package var period: CryptoPeriod
        package var keys: [KeyReference]
    }

    /// The number of periods ahead for which keys are asked for: those of period n+2 before n+1 begins.
    private static let periodsAhead = 2

    package let periods: CryptoPeriods
    private let classes: KeyClasses
    private var states: [CryptoPeriod: [KeyClass: State]] = [:]
    /// The slot that was asked for last.
    private var asked: MediaSequenceNumber?
    /// The keys that each class was protected with last.
    package private(set) var keysInForce: [KeyClass: KeyInForce] = [:]

    package init(periods: CryptoPeriods, classes: KeyClasses = KeyClasses()) {
        self.periods = periods
        self.classes = classes
    }

    package func state(of keyClass: KeyClass, in period: CryptoPeriod) -> State? { states[period]?[keyClass] }

    package func keys(of keyClass: KeyClass, in period: CryptoPeriod) -> [KeyReference]? {
        if case .known(let keys)? = state(of: keyClass, in: period) { keys } else { nil }
    }

    /// Returns the keys to request, now that a slot is there: those not requested yet, and those whose requests failed.
    ///
    /// - Parameters:
    ///   - slot: The slot; it and the periods that follow need keys.
    ///   - used: The classes to request again from a source without a key; empty for all, while the classes are
    ///     unknown.
    ///   - now: UTC.
    /// - Returns: The requests by period, the slot's own last: if that one is answered at once, the others are known as
    ///   well.
    package mutating func requests(
        for slot: MediaSequenceNumber,
        of used: Set<KeyClass> = [],
        at now: MediaTime
    ) -> [Request] {
        let isAnotherSlot = slot != asked
        asked = slot
        return periods.periods(from: slot, following: Self.periodsAhead).reversed().compactMap { period in
            let classes = classes.all.filter { keyClass in
                switch state(of: keyClass, in: period) {
                case nil: true
                case .failed: isAnotherSlot && (used.isEmpty || used.contains(keyClass))
                case .pending, .known: false
                }
            }
            for keyClass in classes {
                var (asked, lastFailure) = (now, String?.none)
                if case .failed(let reason, let since)? = state(of: keyClass, in: period) {
                    (asked, lastFailure) = (since, reason)
                }
                states[period, default: [:]][keyClass] = .pending(since: asked, lastFailure: lastFailure)
            }
            return classes.isEmpty ? nil : Request(period: period, classes: classes)
        }
    }

    /// Adds the keys that a source has answered with.
    ///
    /// Keys that are known already stay as they are, because segments name them.
    ///
    /// - Returns: True if the keys are new; false if they were not requested, or the period is over.
    package mutating func arrived(_ keys: [KeyReference], of keyClass: KeyClass, in period: CryptoPeriod) -> Bool {
        switch state(of: keyClass, in: period) {
        case nil, .known: return false
        case .pending, .failed:
            states[period]?[keyClass] = .known(keys)
            return true
        }
    }

    /// A source has no key.
    ///
    /// - Returns: True if it was waited for.
    package mutating func failed(_ reason: String, of keyClass: KeyClass, in period: CryptoPeriod) -> Bool {
        guard case .pending(let since, _)? = state(of: keyClass, in: period) else { return false }
        states[period]?[keyClass] = .failed(reason: reason, since: since)
        return true
    }

    /// A segment is protected with the key of its own period.
    package mutating func use(_ keys: [KeyReference], of keyClass: KeyClass, in period: CryptoPeriod) {
        keysInForce[keyClass] = KeyInForce(period: period, keys: keys)
    }

    /// Forgets periods, because no slot before this one needs a key any more.
    package mutating func forget(before slot: MediaSequenceNumber) {
        let period = periods.period(of: slot)
        if states.keys.contains(where: { $0 < period }) { states = states.filter { $0.key >= period } }
    }
}
