import MediaCore
import Synchronization
import Testing

@testable import ContentProtection

/// A source that asks another one for what a store lacks.
@Suite struct StoredKeySourceTests {
    /// A source that gives the keys of all classes, whichever it is asked for, and remembers what it was asked for.
    private final class Server: KeySource {
        let schedule: KeySchedule
        private let requests = Mutex<[[KeyClass]]>([])

        init(_ schedule: KeySchedule) { self.schedule = schedule }

        var periods: CryptoPeriods { schedule.periods }
        var asked: [[KeyClass]] { requests.withLock { $0 } }

        func requestKeys(
            of period: CryptoPeriod,
            _ classes: [KeyClass],
            answer: @escaping @Sendable (Result<[PeriodKey], any Error>) -> Void
        ) {
            requests.withLock { $0.append(classes) }
            schedule.requestKeys(of: period, KeyClasses().all, answer: answer)
        }
    }

    private let server: Server
    private let given: KeySchedule
    private let store = KeyStore()

    init() throws {
        let (secret, other) = (try #require(MasterSecret(Array(1...32))), try #require(MasterSecret(Array(2...33))))
        server = Server(KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2))
        given = KeySchedule(secret: other, channel: "live", slotsPerPeriod: 2)
    }

    /// Returns the keys of all classes in a period, by what gives them.
    private func answered(_ period: Int64) async throws -> [PeriodKey] {
        let source = StoredKeySource(store, otherwise: server)
        return try await source.keys(of: CryptoPeriod(period), [.video, .audio], within: .seconds(60))
    }

    @Test func knownKeysAreNotAskedForAgain() async throws {
        let known = try [KeyClass.video, .audio].map { try given.keys(for: CryptoPeriod(7), $0) }
        for key in known { store.insert(key) }
        #expect(try await answered(7) == known)
        #expect(server.asked.isEmpty)
        let next = try [KeyClass.video, .audio].map { try server.schedule.keys(for: CryptoPeriod(8), $0) }
        #expect(try await answered(8) == next, "the next period is another one")
        #expect(server.asked == [[.video, .audio]])
    }

    /// Segments name it.
    @Test func aKnownKeyStaysWhereThatOfAnotherClassIsAskedFor() async throws {
        let known = try given.keys(for: CryptoPeriod(7), .video)
        store.insert(known)
        let other = try server.schedule.keys(for: CryptoPeriod(7), .audio)
        #expect(try await answered(7) == [known, other])
        #expect(server.asked == [[.audio]])
    }
}
