/// Where publications go besides the players: to what keeps them for a later process, or has them elsewhere.
///
/// A presentation has them in order, and tells them outside every lock. Each does its work on a thread of its own, and
/// says by its policy how long the stream waits for it. What it need not know of it leaves out.
package protocol PublicationSink: Sendable {
    var policy: PublicationPolicy { get }

    /// A window is taken over; the next publication brings all that it lists.
    func willRestore(_ window: RestoredWindow)

    /// A slot becomes visible when this returns.
    ///
    /// Only of a sink that precedes visibility. It is called by one thread at a time.
    func willPublish(_ publication: Publication)

    /// What is served may have changed, or time has gone by since it was told so.
    ///
    /// Only of a sink that follows.
    ///
    /// - Parameter changes: Asked for once there is time for them: what became of each path since they were last asked for.
    func mayHaveChanged(_ changes: @escaping @Sendable () -> [ResourceChange])
}

extension PublicationSink {
    package func willRestore(_ window: RestoredWindow) {}
    package func willPublish(_ publication: Publication) {}
    package func mayHaveChanged(_ changes: @escaping @Sendable () -> [ResourceChange]) {}
}
