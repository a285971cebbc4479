/// The answer to a request for a playlist with a segment or a part that may still have to come.
package enum BlockedReload: Hashable, Sendable {
    /// The playlist can be sent as it is.
    case ready
    /// The request waits; ``Presentation/stopWaiting(_:)`` takes the number.
    case waiting(Int)
    /// The request asks for a position too far ahead (RFC 8216bis § 6.2.5.2): 400.
    case tooFar
    /// Too many requests wait already.
    case tooMany
}
