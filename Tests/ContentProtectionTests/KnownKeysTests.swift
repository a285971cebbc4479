import MediaCore
import Testing

@testable import ContentProtection

/// The keys that players may have, of keys that cannot be derived again.
@Suite struct KnownKeysTests {
    private let schedule: KeySchedule
    private let store = KeyStore()

    init() throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2)
    }

    private func insert(_ periods: Int64...) throws {
        for period in periods {
            for keyClass in KeyClasses().all { store.insert(try schedule.keys(for: CryptoPeriod(period), keyClass)) }
        }
    }

    private func available(_ slots: ClosedRange<Int64>) -> Set<Int64> {
        let known = KnownKeys(store, periods: schedule.periods)
        return Set(known.keys(availableFor: Set(slots.map(MediaSequenceNumber.init))).values.map(\.period.index))
    }

    @Test func thereAreKeysOfListedSlotsOfTheNextPeriodAndTheOneBefore() throws {
        try insert(1, 2, 3, 4, 5, 6, 7)
        #expect(available(6...9) == [2, 3, 4, 5])
    }

    @Test func aKeyThatWentOnCanBeHadForAsLongAsItIsNeeded() throws {
        try insert(1, 2)
        #expect(available(10...13) == [2])
        // The key of the first period came in the middle of it.
        try insert(5)
        #expect(available(10...13) == [2, 5])
    }

    @Test func whatIsNewIsAnotherRevision() throws {
        let known = KnownKeys(store, periods: schedule.periods)
        let before = known.revision
        try insert(1)
        #expect(known.revision != before)
        #expect(known.key(for: CryptoPeriod(1), .video)?.period == CryptoPeriod(1))
        #expect(known.key(for: CryptoPeriod(2), .video) == nil)
        #expect(known.keys(availableFor: []) == [:])
    }

    @Test func keysOfAnEarlierRunAreAskedFor() async throws {
        let known = KnownKeys(store, periods: schedule.periods)
        await known.recall(Set((6...9).map(MediaSequenceNumber.init)), from: schedule)
        #expect(available(6...9) == [3, 4])
    }

    @Test func oneKeyMayBeForSeveralPeriods() throws {
        let store = KeyStore()
        var key = try schedule.keys(for: CryptoPeriod(0), .video)
        for period: Int64 in 0..<100 {
            key.period = CryptoPeriod(period)
            store.insert(key)
        }
        #expect(try store.key(key.keyID) == key)
    }
}
