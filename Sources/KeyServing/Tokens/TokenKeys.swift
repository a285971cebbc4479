import Foundation

/// The keys that tokens are signed with: a JSON Web Key Set (RFC 7517 § 5).
struct TokenKeys: Sendable {
    private let keys: [TokenKey]
    /// The others of the set, which may be for something else.
    let unusable: [UnusableTokenKey]

    /// The most keys of a set, more than issuers have.
    private static let mostKeys = 1000

    /// Makes an empty set.
    init() {
        keys = []
        unusable = []
    }

    /// Reads a set.
    ///
    /// Keys of other kinds are left out, as RFC 7517 § 5 wants it: an issuer may have them for something else.
    ///
    /// - Throws: ``TokenKeysError`` for anything else, and for a set without a key that can be used.
    init(jwks json: some Collection<UInt8>) throws(TokenKeysError) {
        guard let set = try? JSONDecoder().decode(JSONWebKeySet.self, from: Data(json)) else { throw .noKeySet }
        guard set.keys.count <= Self.mostKeys else { throw .tooManyKeys(set.keys.count, most: Self.mostKeys) }
        var keys: [TokenKey] = []
        var unusable: [UnusableTokenKey] = []
        // The last of those with the same name counts.
        for (index, member) in set.keys.enumerated().reversed() {
            do throws(TokenKey.Problem) {
                guard let written = member.value else { throw TokenKey.Problem("it is no JSON Web Key") }
                let key = try TokenKey(written)
                guard !keys.contains(where: { $0.id == key.id && $0.id != nil && $0.algorithm == key.algorithm }) else {
                    throw TokenKey.Problem("a later key of the set has the same kid")
                }
                keys.append(key)
            } catch {
                let name = member.value?.kid.map { $0.legible } ?? "index \(index)"
                unusable.insert(UnusableTokenKey(name: name, reason: error.reason), at: 0)
            }
        }
        guard !keys.isEmpty else { throw .noUsableKey(unusable) }
        self.keys = keys
        self.unusable = unusable
    }

    var count: Int { keys.count }

    /// Verifies a token.
    ///
    /// - Parameter text: A JSON Web Token in compact form (RFC 7515 § 7.1).
    /// - Returns: Its claims; they have yet to be checked against the moment and the channel.
    /// - Throws: ``TokenRefusal/invalid`` or a refusal for its key or algorithm.
    func token(_ text: String) throws(TokenRefusal) -> PlaybackToken {
        guard let signed = SignedToken(text) else { throw .invalid }
        guard let algorithm = TokenAlgorithm(rawValue: signed.header.alg) else { throw .otherAlgorithm }
        let key = try key(named: signed.header.kid, for: algorithm)
        guard key.verifies(signed), let token = PlaybackToken(signed) else { throw .invalid }
        return token
    }

    /// The key that a token names; it need not name one if only one key fits (RFC 7515 § 4.1.4).
    private func key(named id: String?, for algorithm: TokenAlgorithm) throws(TokenRefusal) -> TokenKey {
        let fitting = keys.filter { $0.algorithm == algorithm && (id == nil || $0.id == id) }
        // A token without a key name was more likely signed by a key without one.
        let unnamed = fitting.filter { $0.id == nil }
        if let key = fitting.first, fitting.count == 1 { return key }
        if let key = unnamed.first, unnamed.count == 1 { return key }
        guard fitting.isEmpty else { throw .ambiguousKey }
        throw id != nil && keys.contains { $0.id == id } ? .invalid : .unknownKey
    }
}

extension TokenKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "TokenKeys(\(count))" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
