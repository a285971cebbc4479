/// Where publications go besides the players: to what has them elsewhere.
///
/// A presentation has them in order, and tells them outside every lock.
package protocol PublicationSink: Sendable {
    /// What is served may have changed, or time has gone by since it was told so.
    ///
    /// - Parameter changes: Asked for once there is time for them: what became of each path since they were last asked for.
    func mayHaveChanged(_ changes: @escaping @Sendable () -> [ResourceChange])
}
