import ContentProtection
import MediaCore
import SegmentingSupport
import Synchronization
import Testing

/// Derived keys, some of which the source holds back.
final class HeldKeySource: KeySource {
    typealias Answer = @Sendable (Result<[PeriodKey], any Error>) -> Void

    let schedule: KeySchedule
    /// Keys from this period on are held back.
    private let firstHeld: CryptoPeriod
    /// The error of these keys; nil for none.
    private let error: (any Error)?
    /// The demand on screens.
    private let displayProtection: DisplayProtection?
    private let isHolding = Atomic(true)
    private let held = Mutex<[@Sendable () -> Void]>([])

    init(
        slotsPerPeriod: Int64,
        firstHeldSlot: MediaSequenceNumber,
        error: (any Error)? = nil,
        displayProtection: DisplayProtection? = nil
    ) throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: slotsPerPeriod)
        firstHeld = schedule.periods.period(of: firstHeldSlot)
        self.error = error
        self.displayProtection = displayProtection
    }

    var periods: CryptoPeriods { schedule.periods }

    func requestKeys(of period: CryptoPeriod, _ classes: [KeyClass], answer: @escaping Answer) {
        guard period >= firstHeld, isHolding.load(ordering: .relaxed) else {
            return schedule.requestKeys(of: period, classes) { [displayProtection] result in
                let keys = result.map { keys in
                    keys.map { key in
                        var key = key
                        if let displayProtection { key.displayProtection = displayProtection }
                        return key
                    }
                }
                answer(keys)
            }
        }
        if let error { answer(.failure(error)) }
        held.withLock { $0.append { [schedule] in schedule.requestKeys(of: period, classes, answer: answer) } }
    }

    /// Gives out what was held back, and from now on everything at once.
    func release() {
        isHolding.store(false, ordering: .relaxed)
        let answers = held.withLock { held in
            defer { held = [] }
            return held
        }
        for answer in answers { answer() }
    }

    /// Returns the URI of a slot's key in playlists.
    func uri(_ slot: Int64, _ keyClass: KeyClass = .video) throws -> String {
        let period = periods.period(of: MediaSequenceNumber(Epoch.slot.value + slot))
        return "keys/\(try schedule.keys(for: period, keyClass).keyID)"
    }
}
