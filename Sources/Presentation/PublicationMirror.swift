/// Keeps up, in its own time, with what a presentation serves.
package protocol PublicationMirror: Sendable {
    /// What a presentation serves may have changed.
    ///
    /// A live feed is never held up by this; a stored one may be, until what was served before is done with.
    func follow(_ presentation: Presentation)
}
