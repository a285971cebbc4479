/// When a ``PublicationSink`` has what is published.
package enum PublicationPolicy: Hashable, Sendable {
    /// Before a player can see it, so that nobody has seen what a later process cannot know of; but the stream waits no
    /// longer than this for a slot.
    case precedesVisibility(within: Duration)
    /// Afterwards, in its own time. A live stream is never held up; a stored one may be, until what was served before is
    /// done with.
    case follows
}
