/// The reason why a token is refused.
package enum TokenRefusal: Error, Hashable, Sendable {
    case missing
    /// It is no JSON Web Token, lacks a claim, or its signature is not by the key that it names.
    case invalid
    /// It is signed by an algorithm that no key is used with, or by none.
    case otherAlgorithm
    /// No key has the name that it names.
    case unknownKey
    /// It names no key, and several could have signed it.
    case ambiguousKey
    /// No key has the name that it names, and the keys are being fetched.
    case keysPending
    case otherAudience
    case otherIssuer
    case expired
    case early(seconds: Int)
    case otherChannel
    case otherClass
}
