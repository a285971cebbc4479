import MediaCore
package import Playlists

extension Presentation.State {
    var progress: WindowSnapshot.State { isEnded ? .ended : window.isEmpty ? .starting : .live }

    func snapshotWithoutSegments() -> WindowSnapshot {
        var totals = totals
        totals.bytes = bytesInMemory
        return WindowSnapshot(
            state: progress,
            targetDuration: configuration.targetDuration,
            renditions: renditions.map { rendition in
                WindowSnapshot.Rendition(
                    id: rendition.id,
                    kind: rendition.kind,
                    codecs: rendition.codecs,
                    resolution: rendition.resolution,
                    segments: []
                )
            },
            liveEdge: nil,
            totals: totals
        )
    }
}

extension WindowSnapshot {
    mutating func list(_ window: Window) {
        for index in renditions.indices {
            renditions[index].segments = window.slots.compactMap { $0.summary(of: renditions[index].id) }
        }
        liveEdge = renditions.compactMap(\.segments.last).map { $0.start + $0.duration.time }.max()
    }
}

extension SavedWindow {
    /// Returns the listed segments of a rendition in so many of the newest slots, oldest first.
    package func segments(of id: RenditionID, inNewest count: Int = .max) -> [WindowSnapshot.Segment] {
        window.slots.suffix(count).compactMap { $0.summary(of: id) }
    }

    /// Returns the number of listed slots in which a rendition has a segment, and of those in which it has a gap.
    package func counts(of id: RenditionID) -> (segments: Int, gaps: Int) {
        let sums = window.sums[id]
        return (sums.listedMedia, sums.segments - sums.listedMedia)
    }
}

extension ListedSlot {
    fileprivate func summary(of id: RenditionID) -> WindowSnapshot.Segment? {
        segments[id].map { segment in
            WindowSnapshot.Segment(
                sequence: number,
                start: segment.line.programDateTime,
                duration: segment.line.duration,
                isGap: segment.line.isGap,
                startsDiscontinuity: segment.line.startsDiscontinuity,
                keyURIs: segment.line.keys.map(\.uri),
                byteCount: segment.byteCount,
                filler: segment.filler,
                selection: segment.selection
            )
        }
    }
}
