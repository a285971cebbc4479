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
        let state = Mutex((asked: [Int64](), pauses: [Duration](), changes: [String?]()))
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
        } onChange: { reason in
            state.withLock { $0.changes.append(reason) }
        }
        #expect((0..<20).allSatisfy { known.key(for: CryptoPeriod($0), .video) != nil })
        state.withLock { state in
            // Few at a time, each in its turn.
            #expect(state.asked.prefix(20) == ArraySlice((0..<20).reversed()))
            #expect(state.pauses == [.seconds(2), .seconds(4), .seconds(8)])
            #expect(state.changes == [Refusal().description, nil])
        }
    }

    @Test func keysOfSlotsThatHaveLeftAreNotAskedForForEver() async throws {
        let known = KnownKeys(KeyStore(), periods: schedule.periods)
        let rounds = Mutex(0)
        let source = Source(periods: schedule.periods) { _, _ in [.failure(Refusal())] }
        await known.recallAll({ rounds.withLock { $0 < 3 } ? [MediaSequenceNumber(7)] : [] }, from: source) { _ in
            rounds.withLock { $0 += 1 }
        } onChange: { _ in
        }
        #expect(rounds.withLock { $0 } == 3)
    }
}
