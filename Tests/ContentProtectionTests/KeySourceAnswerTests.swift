import MediaCore
import Synchronization
import Testing

@testable import ContentProtection

/// What becomes of the answers of a key source.
@Suite struct KeySourceAnswerTests {
    private struct Refusal: Error, CustomStringConvertible {
        var description: String { "the server answered 404" }
    }

    /// A source that answers in a certain way.
    private struct Source: KeySource {
        var periods: CryptoPeriods
        var answers: @Sendable (CryptoPeriod, [KeyClass]) -> [Result<[PeriodKey], any Error>]

        func requestKeys(
            of period: CryptoPeriod,
            _ classes: [KeyClass],
            answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
        ) {
            for result in answers(period, classes) { answer(result) }
        }
    }

    private let schedule: KeySchedule

    init() throws {
        schedule = KeySchedule(secret: try #require(MasterSecret(Array(1...32))), channel: "live", slotsPerPeriod: 2)
    }

    @Test func keysThatComeOneByOneAreReturnedInOrder() async throws {
        let source = Source(periods: schedule.periods) { [schedule] period, classes in
            classes.reversed().map { keyClass in Result { [try schedule.keys(for: period, keyClass)] } }
        }
        let keys = try await source.keys(of: CryptoPeriod(7), [.video, .audio], within: .seconds(60))
        #expect(keys.map(\.keyClass) == [.video, .audio] && keys.allSatisfy { $0.period == CryptoPeriod(7) })
    }

    @Test func aRefusalIsThrown() async throws {
        let source = Source(periods: schedule.periods) { _, _ in [.failure(Refusal())] }
        await #expect(throws: Refusal.self) {
            try await source.keys(of: CryptoPeriod(7), [.video], within: .seconds(60))
        }
    }

    @Test func aSourceThatDoesNotAnswerIsNotWaitedForForLong() async throws {
        let source = Source(periods: schedule.periods) { [schedule] period, _ in
            [Result { [try schedule.keys(for: period, .video)] }]
        }
        await #expect(throws: KeySourceSilence.self) {
            try await source.keys(of: CryptoPeriod(7), [.video, .audio], within: .milliseconds(20))
        }
    }

    @Test func aPeriodThatIsNotGivenAgainSaysWhy() async throws {
        let known = KnownKeys(KeyStore(), periods: schedule.periods)
        let slots = Set((6...9).map(MediaSequenceNumber.init))
        let source = Source(periods: schedule.periods) { [schedule] period, classes in
            if period == CryptoPeriod(3) { return [.failure(Refusal())] }
            return [Result { try classes.map { try schedule.keys(for: period, $0) } }]
        }
        #expect(await known.recall(slots, from: source) == Refusal().description)
        #expect(known.key(for: CryptoPeriod(4), .video) != nil && known.key(for: CryptoPeriod(3), .video) == nil)
        #expect(await known.recall(slots, from: schedule) == nil)
        #expect(known.key(for: CryptoPeriod(3), .video) != nil)
    }

    /// A key server that is away for a moment after a restart must not cost the whole window.
    @Test func aSourceIsAskedUntilAllKeysAreKnown() async throws {
        let known = KnownKeys(KeyStore(), periods: schedule.periods)
        let slots = Set((0..<40).map(MediaSequenceNumber.init))
        let state = Mutex((asked: [Int64](), pauses: [Duration](), changes: [KeyAvailabilityChange]()))
        let source = Source(periods: schedule.periods) { [schedule] period, classes in
            let isAway = state.withLock { state in
                state.asked.append(period.index)
                return state.pauses.count < 3
            }
            if isAway { return [.failure(Refusal())] }
            return [Result { try classes.map { try schedule.keys(for: period, $0) } }]
        }
        await known.recallAll({ slots }, from: source) { pause in
            state.withLock { $0.pauses.append(pause) }
        } onChange: { change in
            state.withLock { $0.changes.append(change) }
        }
        #expect((0..<20).allSatisfy { known.key(for: CryptoPeriod($0), .video) != nil })
        #expect(known.key(for: CryptoPeriod(-1), .video) != nil, "a late key may have left the first slots to it")
        state.withLock { state in
            // Few at a time, each in its turn, and each time the one before all.
            let turns = [Set(12..<20), Set(4..<12), Set(0..<4)] as [Set<Int64>]
            var asked = state.asked[...]
            for turn in turns {
                #expect(Set(asked.prefix(turn.count + 1)) == turn.union([-1]))
                asked = asked.dropFirst(turn.count + 1)
            }
            #expect(state.pauses == [.seconds(2), .seconds(4), .seconds(8)])
            #expect(state.changes == [.missing(Refusal().description), .known])
        }
    }

    @Test func keysOfSlotsThatHaveLeftAreNotAskedForForEver() async throws {
        let known = KnownKeys(KeyStore(), periods: schedule.periods)
        let rounds = Mutex(0)
        let source = Source(periods: schedule.periods) { _, _ in [.failure(Refusal())] }
        let changes = Mutex<[KeyAvailabilityChange]>([])
        await known.recallAll({ rounds.withLock { $0 < 3 } ? [MediaSequenceNumber(7)] : [] }, from: source) { _ in
            rounds.withLock { $0 += 1 }
        } onChange: { change in
            changes.withLock { $0.append(change) }
        }
        #expect(rounds.withLock { $0 } == 3)
        #expect(changes.withLock { $0 } == [.missing(Refusal().description), .expired])
    }
}
