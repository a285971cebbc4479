package import MediaCore
package import Playlists

/// What has filled the slots of each rendition lately: runs of slots that one source has filled.
package struct OnAirHistory: Hashable, Sendable {
    package struct Run: Hashable, Sendable {
        /// The name of an input, `slate`, `hold`, or `none` of gaps.
        package var source: String
        /// UTC of the first sample, and of the end of the last one.
        package var start: MediaTime
        package var end: MediaTime
    }

    package struct Rendition: Hashable, Sendable {
        package var id: RenditionID
        /// The newest last.
        package var runs: [Run] = []
    }

    /// In the order in which they were first published.
    package private(set) var renditions: [Rendition] = []

    /// Of a rendition; a source that changed with every slot of 4 s would fill them in half an hour.
    static let mostRuns = 500

    /// A slot was published.
    ///
    /// - Parameters:
    ///   - id: The rendition.
    ///   - source: What has filled it.
    ///   - start: UTC of its first sample.
    ///   - end: Where the next one starts.
    mutating func published(_ id: RenditionID, from source: String, start: MediaTime, end: MediaTime) {
        let index = renditions.firstIndex { $0.id == id } ?? renditions.endIndex
        if index == renditions.endIndex { renditions.append(Rendition(id: id)) }
        let last = renditions[index].runs.indices.last
        // What a restart has missed was no gap that anybody was told of, and no media.
        if let last, renditions[index].runs[last].source == source, start - renditions[index].runs[last].end < tolerance
        {
            renditions[index].runs[last].end = end
            return
        }
        renditions[index].runs.append(Run(source: source, start: start, end: end))
        let surplus = renditions[index].runs.count - Self.mostRuns
        if surplus > 0 { renditions[index].runs.removeFirst(surplus) }
    }

    private var tolerance: MediaTime { MediaTime(milliseconds: 500) }

    /// Without what had ended by a moment of UTC.
    package func since(_ moment: MediaTime) -> Self {
        var history = self
        for index in history.renditions.indices { history.renditions[index].runs.removeAll { $0.end <= moment } }
        history.renditions.removeAll { $0.runs.isEmpty }
        return history
    }
}
