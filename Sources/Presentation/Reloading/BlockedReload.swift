/// The answer to a request for a playlist or part that may not be published yet.
package enum BlockedReload: Hashable, Sendable {
    /// The answer can be sent now.
    case ready
    /// The answer can be sent once a condition is met.
    case waiting(PlaylistCondition)
    /// The position is too far ahead to wait for.
    case tooFar
    /// The position will never come.
    case never
}
