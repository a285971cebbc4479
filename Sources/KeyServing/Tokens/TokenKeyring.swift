package import MediaCore
import Synchronization

/// Verifies tokens by keys that are fetched repeatedly.
///
/// If fetching fails, the last ones stay.
package final class TokenKeyring: Sendable {
    private struct State {
        var keys = TokenKeys()
        var refetch = KeyRefetch()
        /// True until a fetch succeeds: an unknown key may be one that could not be fetched.
        var isStale = true
    }

    private let state = Mutex(State())
    /// The result of a fetch.
    package struct News: Hashable, Sendable {
        /// Keys that can be used.
        package var count: Int
        /// The keys that cannot be used; none if they are those of the last fetch.
        package var unusable: [UnusableTokenKey]
    }

    private let expectation: TokenExpectation
    private let fetch: @Sendable () async throws -> [UInt8]
    private let onKeys: @Sendable (News) -> Void
    private let onFailure: @Sendable (_ error: any Error, _ kept: Int) -> Void
    private let uptime: @Sendable () -> MediaTime

    /// Creates a keyring without keys; ``refresh()`` gets them.
    ///
    /// - Parameters:
    ///   - expectation: The issuer and audience of tokens that are taken.
    ///   - fetch: Gets the JSON Web Key Set, from a file or a server.
    ///   - uptime: A clock that never goes back.
    ///   - onKeys: Called after each fetch with the present keys.
    ///   - onFailure: Called after each fetch that fails, with the error and the number of keys from before.
    package init(
        expecting expectation: TokenExpectation = TokenExpectation(),
        fetch: @escaping @Sendable () async throws -> [UInt8],
        uptime: @escaping @Sendable () -> MediaTime,
        onKeys: @escaping @Sendable (News) -> Void,
        onFailure: @escaping @Sendable (_ error: any Error, _ kept: Int) -> Void
    ) {
        self.expectation = expectation
        self.fetch = fetch
        self.uptime = uptime
        self.onKeys = onKeys
        self.onFailure = onFailure
    }

    /// Fetches the keys now.
    ///
    /// - Throws: The error of `fetch`, or `TokenKeysError`.
    package func refresh() async throws {
        state.withLock { $0.refetch.began(at: uptime()) }
        try await load()
    }

    /// Verifies a token; it may have the keys fetched behind it.
    ///
    /// - Throws: ``TokenRefusal``, with ``TokenRefusal/keysPending`` if the same token may be good in a moment.
    package func token(_ text: String) throws(TokenRefusal) -> PlaybackToken {
        let keys = state.withLock { $0.keys }
        do throws(TokenRefusal) {
            let token = try keys.token(text)
            fetchIfDue(isUnknown: false)
            try expectation.check(token)
            return token
        } catch .unknownKey {
            let isPending = fetchIfDue(isUnknown: true)
            throw isPending || state.withLock { $0.isStale } ? .keysPending : .unknownKey
        } catch {
            // An issuer may have put another key in the place of the one that the token names, or of its only one.
            fetchIfDue(isUnknown: false)
            throw error
        }
    }

    /// - Returns: True if keys are under way.
    @discardableResult
    private func fetchIfDue(isUnknown: Bool) -> Bool {
        let (isDue, isPending) = state.withLock { state in
            let isDue = state.refetch.tokenCame(isUnknown: isUnknown, at: uptime())
            return (isDue, state.refetch.isPending)
        }
        if isDue { Task { try? await load() } }
        return isPending
    }

    private func load() async throws {
        do {
            let keys = try await TokenKeys(jwks: fetch())
            let unusable = state.withLock { state in
                defer {
                    state.keys = keys
                    state.isStale = false
                    state.refetch.ended()
                }
                return keys.unusable == state.keys.unusable ? [] : keys.unusable
            }
            onKeys(News(count: keys.count, unusable: unusable))
        } catch {
            let count = state.withLock { state in
                state.isStale = true
                state.refetch.ended()
                return state.keys.count
            }
            onFailure(error, count)
            throw error
        }
    }
}
