/// The source that fills a track's slots, and the whole slots of each source: everything that a choice depends on
/// apart from the sources' media for the slot itself.
package struct SourceSelection: Hashable, Sendable {
    /// The source that filled the newest slot.
    package var active: Int
    /// The slots that each source had whole in a row, up to the newest; nil if it has proved nothing.
    package var wholeRuns: [ClosedRange<MediaSequenceNumber>?]

    package init(active: Int = 0, wholeRuns: [ClosedRange<MediaSequenceNumber>?] = []) {
        self.active = active
        self.wholeRuns = wholeRuns
    }
}
