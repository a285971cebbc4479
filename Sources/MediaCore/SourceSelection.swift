/// The source that fills a track's slots, and the whole slots of each source: everything that a choice depends on
/// apart from the sources' media for the slot itself.
package struct SourceSelection: Hashable, Sendable {
    /// The source that filled the newest slot.
    package var active: SourceRank
    /// The slots that each source had whole in a row, by rank, up to the newest; nil if it has proved nothing.
    package var wholeRuns: [ClosedRange<MediaSequenceNumber>?]

    package init(active: SourceRank = .primary, wholeRuns: [ClosedRange<MediaSequenceNumber>?] = []) {
        self.active = active
        self.wholeRuns = wholeRuns
    }

    /// The slots that a source had whole in a row, up to the newest; nil if it has proved nothing.
    package subscript(source: SourceRank) -> ClosedRange<MediaSequenceNumber>? {
        get { source.value < wholeRuns.count ? wholeRuns[source.value] : nil }
        set {
            while wholeRuns.count <= source.value { wholeRuns.append(nil) }
            wholeRuns[source.value] = newValue
        }
    }
}
