import MediaCore
import Playlists
import Presentation
import Segmenting

extension PublishedWindow {
    /// Takes the values that a channel continues from, of a window with the bytes that are there.
    init(_ restored: RestoredWindow, _ configuration: Presentation.Configuration) {
        self.init(restored.window, expires: restored.expiry(configuration))
        open = restored.openSlots
    }

    /// - Parameters:
    ///   - window: The window that was listed.
    ///   - expires: The time, in UTC, at which nothing of it would be listed any more; nil if that does not matter.
    init(_ window: SavedWindow, expires: MediaTime?) {
        let edges = window.renditions.compactMap { description in
            window.edge(of: description.id).map { (description.id, Edge($0)) }
        }
        self.init(
            newest: window.lastNumber,
            renditions: window.renditions,
            edges: Dictionary(edges) { first, _ in first },
            expires: expires
        )
        (first, dateRanges, splicePlan) = (window.firstNumber, window.dateRanges, window.splicePlan)
        slots = window.outlines
    }
}

extension RestoredWindow {
    /// The parts of open slots, in the form that the engine needs.
    var openSlots: [RenditionID: [PublishedWindow.OpenSlotParts]] {
        Dictionary(grouping: openParts, by: \.rendition).mapValues { parts in
            Dictionary(grouping: parts, by: \.number).sorted { $0.key < $1.key }
                .map { PublishedWindow.OpenSlotParts(of: $0.value) }
        }
    }
}

extension PublishedWindow.OpenSlotParts {
    /// - Parameter parts: The parts of one slot in order, at least one.
    fileprivate init(of parts: [SavedPart]) {
        self.init(
            number: parts[0].number,
            durations: parts.map(\.duration),
            mediaCount: parts.prefix { !$0.isGap }.count,
            startsDiscontinuity: parts[0].opening?.startsDiscontinuity ?? false
        )
    }
}

extension PublishedWindow.Edge {
    fileprivate init(_ edge: SavedWindow.Edge) {
        self.init(
            start: edge.start,
            end: edge.exactEnd,
            timescale: edge.duration.timescale,
            isGap: edge.isGap || edge.filler != nil,
            selection: edge.selection
        )
        fingerprint = edge.fingerprint
    }
}
