/// Keeps what a presentation publishes for a later process.
package protocol PublicationJournal: Sendable {
    /// A window is taken over; the next publication writes what it lists.
    func willRestore(_ window: RestoredWindow)

    /// A slot is about to be published.
    ///
    /// The slot becomes visible when this returns, so a client never sees what a later process cannot know of. It is
    /// called outside every lock, by one thread at a time, and returns soon: the stream does not wait for a disk.
    func willPublish(_ publication: Publication)
}
