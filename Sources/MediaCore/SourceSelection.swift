/// Which source of a track fills its slots, and how long each has been whole: all that a choice depends on besides what
/// the sources have for the slot itself.
package struct SourceSelection: Hashable, Sendable {
    /// The source that filled the newest slot.
    package var active: Int
    /// By source, the slots that it had whole in a row, up to the newest; nil where it has proved nothing.
    package var wholeRuns: [ClosedRange<MediaSequenceNumber>?]

    package init(active: Int = 0, wholeRuns: [ClosedRange<MediaSequenceNumber>?] = []) {
        self.active = active
        self.wholeRuns = wholeRuns
    }
}
