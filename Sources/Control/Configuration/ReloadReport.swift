/// The changes of a reload, made or planned.
package struct ReloadReport: Hashable, Sendable, Encodable {
    /// The names of channels.
    package var added: [String]
    package var changed: [String]
    package var removed: [String]
    package var unchanged: [String]
    /// Warnings about settings, one sentence each.
    package var warnings: [String]

    package init(added: [String], changed: [String], removed: [String], unchanged: [String], warnings: [String]) {
        self.added = added
        self.changed = changed
        self.removed = removed
        self.unchanged = unchanged
        self.warnings = warnings
    }
}
