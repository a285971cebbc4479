/// The reason why a token is refused.
package enum TokenRefusal: Error, Hashable, Sendable {
    case missing
    /// The token is not a JSON Web Token, lacks a claim, or is not signed by the key that it names.
    case invalid
    /// The token is not signed, or by an algorithm that no key is used with.
    case otherAlgorithm
    /// No key has the name that it names.
    case unknownKey
    /// The token names no key, and several could have signed it.
    case ambiguousKey
    /// No key has the name that it names, and the keys are being fetched, or could not be fetched last.
    case keysPending
    case otherAudience
    case otherIssuer
    case expired
    case early(seconds: Int)
    case otherChannel
    case otherClass
}
