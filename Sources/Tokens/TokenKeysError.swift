/// Keys of tokens that cannot be used.
package enum TokenKeysError: Error, Hashable, CustomStringConvertible {
    /// Not a JSON object with an array of objects `keys`.
    case noKeySet
    case noUsableKey(of: Int)

    package var description: String {
        switch self {
        case .noKeySet: "it is no JSON Web Key Set: {\"keys\":[…]}"
        case .noUsableKey(let count):
            "none of its \(count) keys can be used: they have to be RSA of 2048 bits and more (RS256), EC on P-256 (ES256) "
                + "or octets, 32 and more (HS256)"
        }
    }
}
