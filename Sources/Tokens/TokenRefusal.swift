/// Why a token opens nothing.
package enum TokenRefusal: Error, Hashable, Sendable {
    case missing
    /// It is no JSON Web Token, lacks a claim, or its signature is not of the key that it names.
    case invalid
    /// Nobody knows the key that it names.
    case unknownKey
    /// Nobody knows the key that it names, and the keys are being fetched.
    case keysPending
    case expired
    case early(seconds: Int)
    case otherChannel
    case otherClass
}
