/// The answer to a request for a playlist, or for a part, that may still have to come.
package enum BlockedReload: Hashable, Sendable {
    /// It can be sent as it is.
    case ready
    /// It can be sent once a condition is met.
    case waiting(PlaylistCondition)
    /// It is too far ahead to be waited for.
    case tooFar
    /// It will never come.
    case never
}
