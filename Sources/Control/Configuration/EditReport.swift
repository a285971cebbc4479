/// The result of editing a channel.
package struct EditReport: Hashable, Sendable {
    /// True if there was no channel of this name.
    package var isNew: Bool
    package var changes: ReloadReport
    /// The channel's configuration now; nil if it was removed.
    package var description: ChannelDescription?

    package init(_ isNew: Bool, _ changes: ReloadReport, _ description: ChannelDescription?) {
        self.isNew = isNew
        self.changes = changes
        self.description = description
    }
}
