/// What has become of a channel that was edited.
package struct EditReport: Hashable, Sendable {
    /// Whether there was none of its name.
    package var isNew: Bool
    package var changes: ReloadReport
    /// As it is written now; nil where it was removed.
    package var description: ChannelDescription?

    package init(_ isNew: Bool, _ changes: ReloadReport, _ description: ChannelDescription?) {
        self.isNew = isNew
        self.changes = changes
        self.description = description
    }
}
