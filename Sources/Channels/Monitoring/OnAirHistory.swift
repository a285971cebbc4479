package import MediaCore
package import Playlists

/// The sources of each rendition's recent slots, as runs of slots that one source has filled.
package struct OnAirHistory: Hashable, Sendable {
    package struct Run: Hashable, Sendable {
        /// The name of an input, `subtitles` for those that come separately from the feeds, `slate`, `hold`, or `none`
        /// for gaps.
        package var source: String
        /// The first slot.
        var first: MediaSequenceNumber
        /// The time of the first sample, and of the end of the last one, in UTC.
        package var start: MediaTime
        package var end: MediaTime
    }

    package struct Rendition: Hashable, Sendable {
        package var id: RenditionID
        /// The runs, the newest last.
        package var runs: [Run] = []
    }

    /// The renditions, in the order in which they were first published.
    package private(set) var renditions: [Rendition] = []

    package init() {}

    /// The most runs of a rendition; a source that changed with every slot of 4 s would fill them in half an hour.
    static let mostRuns = 500

    /// Takes a slot that was published.
    ///
    /// - Parameters:
    ///   - number: The number of the slot.
    ///   - id: The rendition.
    ///   - source: The source that has filled it.
    ///   - start: The time of its first sample, in UTC.
    ///   - end: The start of the next slot, in UTC.
    mutating func published(
        _ number: MediaSequenceNumber,
        of id: RenditionID,
        from source: String,
        start: MediaTime,
        end: MediaTime
    ) {
        let index = renditions.firstIndex { $0.id == id } ?? renditions.endIndex
        if index == renditions.endIndex { renditions.append(Rendition(id: id)) }
        let last = renditions[index].runs.indices.last
        // Slots that a restart has missed were neither listed gaps nor media.
        if let last, renditions[index].runs[last].source == source, start - renditions[index].runs[last].end < tolerance
        {
            renditions[index].runs[last].end = end
            return
        }
        renditions[index].runs.append(Run(source: source, first: number, start: start, end: end))
        let surplus = renditions[index].runs.count - Self.mostRuns
        if surplus > 0 { renditions[index].runs.removeFirst(surplus) }
    }

    private var tolerance: MediaTime { MediaTime(milliseconds: 500) }

    /// Leaves out a slot and all that follow it.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - time: The time at which it begins, in UTC.
    /// - Returns: The rest of the history.
    package func before(_ number: MediaSequenceNumber, from time: MediaTime) -> Self {
        var history = self
        for index in history.renditions.indices {
            history.renditions[index].runs.removeAll { $0.first >= number }
            guard let last = history.renditions[index].runs.indices.last else { continue }
            let run = history.renditions[index].runs[last]
            history.renditions[index].runs[last].end = min(run.end, max(run.start, time))
        }
        history.renditions.removeAll { $0.runs.isEmpty }
        return history
    }

    /// Returns the history without the runs that had ended by a time in UTC.
    package func since(_ moment: MediaTime) -> Self {
        var history = self
        for index in history.renditions.indices { history.renditions[index].runs.removeAll { $0.end <= moment } }
        history.renditions.removeAll { $0.runs.isEmpty }
        return history
    }
}
