/// Keys of tokens that cannot be used.
enum TokenKeysError: Error, Hashable, CustomStringConvertible {
    /// The document is no JSON object with an array of objects `keys`.
    case noKeySet
    case tooManyKeys(Int, most: Int)
    case noUsableKey([UnusableTokenKey])

    /// The number of keys that a line has room for.
    private static let mostNamed = 8

    var description: String {
        switch self {
        case .noKeySet: "it is no JSON Web Key Set: {\"keys\":[…]}"
        case .tooManyKeys(let count, let most): "it has \(count) keys; allowed are \(most)"
        case .noUsableKey(let keys):
            "none of its \(keys.count) keys can be used: they have to be RSA of 2048 bits and more (RS256), EC on P-256 "
                + "(ES256) or octets, 32 and more (HS256)"
                + keys.prefix(Self.mostNamed).map { "; \($0)" }.joined()
        }
    }
}
