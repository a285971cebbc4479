import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import KeyServing

/// Keys that change while tokens come.
@Suite struct TokenKeyringTests {
    /// A server of keys that a test changes.
    private final class Server: Sendable {
        struct Away: Error {}

        let state = Mutex((jwks: Data?.none, fetches: 0, uptime: MediaTime.zero, kept: 0))

        func keyring() -> TokenKeyring {
            TokenKeyring(
                fetch: { [self] in
                    try state.withLock { state in
                        state.fetches += 1
                        guard let jwks = state.jwks else { throw Away() }
                        return [UInt8](jwks)
                    }
                },
                uptime: { [self] in state.withLock { $0.uptime } },
                onKeys: { _ in },
                onFailure: { [self] _, kept in state.withLock { $0.kept = kept } }
            )
        }
    }

    @Test func aKeyThatIsNewIsFetched() async throws {
        let first = try await TokenIssuer([.init("one")], [.init("one")])
        let second = try await TokenIssuer([.init("two")], [.init("two")])
        let server = Server()
        let keyring = server.keyring()
        server.state.withLock { $0.jwks = first.jwks }
        try await keyring.refresh()
        _ = try keyring.token(first.tokens[0])
        // At once after the last fetch nobody is asked.
        #expect(throws: TokenRefusal.unknownKey) { try keyring.token(second.tokens[0]) }
        server.state.withLock { state in
            state.jwks = second.jwks
            state.uptime = KeyRefetch.minimumInterval
        }
        #expect(throws: TokenRefusal.keysPending) { try keyring.token(second.tokens[0]) }
        _ = try await eventually(within: 60, "the new key") { try? keyring.token(second.tokens[0]) }
        #expect(server.state.withLock { $0.fetches } == 2)
        #expect(throws: TokenRefusal.unknownKey) { try keyring.token(first.tokens[0]) }
    }

    /// An issuer that gives its next key the name of the last one, or none, signs tokens that no known key verifies.
    @Test(arguments: [[:], ["kid": .absent]] as [[String: TokenIssuer.Token.Claim]])
    func aKeyInThePlaceOfAnotherIsFetched(members: [String: TokenIssuer.Token.Claim]) async throws {
        let key = TokenIssuer.Key("one", "ES256", members: members)
        var token = TokenIssuer.Token("one")
        token.isNamed = members.isEmpty
        let first = try await TokenIssuer([key], [token])
        let second = try await TokenIssuer([key], [token])
        let server = Server()
        let keyring = server.keyring()
        server.state.withLock { $0.jwks = first.jwks }
        try await keyring.refresh()
        server.state.withLock { $0.jwks = second.jwks }
        #expect(throws: TokenRefusal.invalid) { try keyring.token(second.tokens[0]) }
        #expect(server.state.withLock { $0.fetches } == 1)
        server.state.withLock { $0.uptime = KeyRefetch.maximumAge }
        #expect(throws: TokenRefusal.invalid) { try keyring.token(second.tokens[0]) }
        _ = try await eventually(within: 60, "the other key") { try? keyring.token(second.tokens[0]) }
        #expect(server.state.withLock { $0.fetches } == 2)
    }

    /// A token may be signed by a key that could not be fetched: its player tries again.
    @Test func nobodyIsRefusedForKeysThatCannotBeHad() async throws {
        let first = try await TokenIssuer([.init("one")], [.init("one")])
        let second = try await TokenIssuer([.init("two")], [.init("two")])
        let server = Server()
        let keyring = server.keyring()
        await #expect(throws: Server.Away.self) { try await keyring.refresh() }
        #expect(throws: TokenRefusal.keysPending) { try keyring.token(first.tokens[0]) }
        #expect(server.state.withLock { $0.kept } == 0)
        server.state.withLock { $0.jwks = first.jwks }
        try await keyring.refresh()
        _ = try keyring.token(first.tokens[0])
        #expect(throws: TokenRefusal.unknownKey) { try keyring.token(second.tokens[0]) }
        server.state.withLock { $0.jwks = nil }
        await #expect(throws: Server.Away.self) { try await keyring.refresh() }
        _ = try keyring.token(first.tokens[0])
        #expect(throws: TokenRefusal.keysPending) { try keyring.token(second.tokens[0]) }
        #expect(server.state.withLock { $0.kept } == 1)
    }

    @Test func theLastKeysStayWhileNoneCanBeHad() async throws {
        let issuer = try await TokenIssuer([.init("one")], [.init("one")])
        let server = Server()
        let keyring = server.keyring()
        await #expect(throws: Server.Away.self) { try await keyring.refresh() }
        server.state.withLock { $0.jwks = issuer.jwks }
        try await keyring.refresh()
        server.state.withLock { state in
            state.jwks = nil
            state.uptime += KeyRefetch.maximumAge
        }
        _ = try keyring.token(issuer.tokens[0])
        _ = try await eventually(within: 60, "another fetch") { server.state.withLock { $0.fetches == 3 ? true : nil } }
        _ = try keyring.token(issuer.tokens[0])
    }

    @Test func keysAreNotFetchedMoreOftenThanNeeded() {
        let (age, interval, tick) = (KeyRefetch.maximumAge, KeyRefetch.minimumInterval, MediaTime(milliseconds: 1))
        var refetch = KeyRefetch()
        refetch.began(at: .zero)
        var fetches = [refetch.tokenCame(isUnknown: true, at: age * 2)]
        #expect(refetch.isPending)
        refetch.ended()
        fetches.append(refetch.tokenCame(isUnknown: true, at: interval - tick))
        fetches.append(refetch.tokenCame(isUnknown: false, at: age - tick))
        fetches.append(refetch.tokenCame(isUnknown: true, at: interval))
        refetch.ended()
        fetches.append(refetch.tokenCame(isUnknown: false, at: age))
        fetches.append(refetch.tokenCame(isUnknown: false, at: interval + age))
        #expect(fetches == [false, false, false, true, false, true])
    }
}
