/// An algorithm that tokens may be signed by (RFC 7518 § 3.1).
enum TokenAlgorithm: String, Sendable, CaseIterable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    case es256 = "ES256"

    /// The algorithms, for a sentence.
    static let list = "HS256, RS256 and ES256"
}
