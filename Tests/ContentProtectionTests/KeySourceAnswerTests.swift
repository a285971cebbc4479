import MediaCore
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
}
