/// What becomes of a request that asks for a playlist with a segment or a part that may still have to come.
package enum BlockedReload: Hashable, Sendable {
    /// The playlist as it is answers it.
    case ready
    /// It waits; ``Presentation/stopWaiting(_:)`` takes the number.
    case waiting(Int)
    /// It asks for what is too far off (RFC 8216bis § 6.2.5.2): 400.
    case tooFar
    /// Too many wait already.
    case tooMany
}
