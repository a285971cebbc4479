import MediaCore
package import Playlists

extension Presentation.State {
    func lookup(_ path: String, now: MediaTime) -> Lookup {
        guard let entry = resources[path] else { return absence(of: path) }
        guard let resource = entry.resource else { return .notFound(.gap) }
        if let expires = resource.expires, expires <= now { return .notFound(.expired) }
        return .found(resource)
    }

    /// Whether a player has enough to begin with: nothing more will come, or there is what it wants to have ahead.
    var isStartable: Bool {
        hasPlaylists && (isEnded || window.slots.count >= Window.startCount)
    }

    var reach: PlaylistReach { PlaylistReach(isStartable: isStartable, isEnded: isEnded, timelines: timelines) }

    /// Why nothing is known of a path.
    private func absence(of path: String) -> Lookup {
        // Playlists are put in place a moment after the first slot.
        if !hasPlaylists, !isEnded, path.hasSuffix(".m3u8") {
            let second = MediaTime.timescale
            return .starting(retryAfter: Int((configuration.segmentDuration.ticks + second - 1) / second))
        }
        return .notFound(hasExpired(path) ? .expired : .unknown)
    }

    /// Whether the path is that of a segment of a slot that was published.
    private func hasExpired(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let rendition = renditions.first(where: { $0.id.name == parts[0] }),
            case let suffix = ".\(rendition.format.rawValue)", parts[1].hasSuffix(suffix),
            let number = Int64(parts[1].dropLast(suffix.count)).map(MediaSequenceNumber.init),
            let first = window.firstNumber, let last = window.last?.number
        else { return false }
        return first <= number && number <= last
    }

    var progress: WindowSnapshot.State { isEnded ? .ended : window.isEmpty ? .starting : .live }

    func snapshotWithoutSegments() -> WindowSnapshot {
        var totals = totals
        totals.bytes = resources.bytes
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
    /// What is listed of a rendition in so many of the newest slots, oldest first.
    package func segments(of id: RenditionID, inNewest count: Int = .max) -> [WindowSnapshot.Segment] {
        window.slots.suffix(count).compactMap { $0.summary(of: id) }
    }

    /// In how many of the listed slots a rendition has a segment, and in how many a gap.
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
