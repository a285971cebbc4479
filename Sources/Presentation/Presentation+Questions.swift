package import MediaCore
package import Playlists
import Synchronization

/// Questions about the publications; none of them changes anything.
extension Presentation {
    /// Returns the renditions whose BANDWIDTH is pinned by configuration though no variant is named after them.
    ///
    /// - Parameter renditions: The renditions of the channel.
    /// - Returns: Their names, and the names of the renditions that variants are named after.
    package func idlePins(among renditions: [RenditionDescription]) -> (pinned: [RenditionID], leaders: [RenditionID]) {
        let leaders = State.variantLeaders(of: renditions).map(\.id)
        let pinned = configuration.pinnedBandwidth.keys.filter { !leaders.contains($0) }
        return (pinned.sorted { $0.name < $1.name }, leaders)
    }

    /// The bandwidth measured of each rendition, for a peer to declare no less.
    package var meters: [RenditionID: BandwidthMeter] { state.withLock { $0.meters } }

    /// The listed window, for a later process or a peer to continue from.
    package var saved: SavedWindow {
        state.withLock { $0.saved }
    }

    /// Counts the changes of ``saved``.
    package var revision: Int { state.withLock { $0.revision } }

    /// The listed window and the parts of the newest slots, with their bytes that are in memory, for another presentation
    /// to continue from.
    package var restorable: RestoredWindow {
        let (window, listed, timelines) = state.withLock { state in
            let saved = state.saved
            return (
                saved, saved.files.map { ($0.path, state.resources[$0.path]?.resource?.body.memory) }, state.timelines
            )
        }
        var bodies = Dictionary(listed.compactMap { path, bytes in bytes.map { (path, $0) } }) { first, _ in first }
        var parts = SavedParts()
        for (id, timeline) in timelines { timeline.save(id, into: &parts, &bodies) }
        if let last = window.lastNumber { parts.end(through: last) }
        return RestoredWindow(window: window, bodies: bodies, parts: parts)
    }

    /// The state of the channel: before its first media, live, or ended.
    package var progress: WindowSnapshot.State { state.withLock { $0.progress } }

    /// The number of the first slot ever listed, here or where this continues from; nil if none was.
    package var firstNumber: MediaSequenceNumber? { state.withLock { $0.window.firstNumber } }

    /// All date ranges that playlists have.
    package var dateRanges: [DateRange] { state.withLock { $0.window.dateRanges } }

    /// Looks up a path below the channel's name, such as `video-1080p/448812000.m4s`.
    package func resource(_ path: some StringProtocol, now: MediaTime) -> Lookup {
        served.lookup(String(path), now: now)
    }

    /// Returns the update of a rendition's playlist for players that have an older copy (RFC 8216bis § 6.2.5.1); nil if
    /// there is nothing to leave out.
    package func deltaPlaylist(of id: RenditionID, _ skip: SkipDirective) -> PlaylistText? {
        served.timelines[id]?.playlist?.deltas[skip]
    }

    /// The resource at a path below the channel's name; nil if none exists or it is no longer listed.
    package func listed(_ path: String) -> Resource? { served.listed(path) }

    /// The slots whose keys listed or retained segments need, and the live edge; none while nothing is listed.
    package var slotsWithKeys: Set<MediaSequenceNumber> {
        state.withLock { $0.slotsWithKeys }
    }

    /// The number of the newest slot that is listed; nil while there is none.
    package var lastNumber: MediaSequenceNumber? { state.withLock { $0.window.last?.number } }

    /// The duration from the start of the oldest listed slot to the end of the newest.
    package var listedDuration: MediaTime {
        state.withLock { state in state.window.start.flatMap { start in state.window.end.map { $0 - start } } ?? .zero }
    }

    /// Counts since the start.
    package var totals: WindowSnapshot.Totals { state.withLock { $0.snapshotWithoutSegments().totals } }

    /// The memory that it needs, against its limit.
    package var memoryUse: MemoryUse {
        state.withLock { $0.memoryUse }
    }

    /// A ``snapshot()`` without segments and live edge, whose cost does not depend on the length of the window.
    package var outline: WindowSnapshot { state.withLock { $0.snapshotWithoutSegments() } }

    /// Returns the state of the stream with all listed segments; its cost grows with the window.
    package func snapshot() -> WindowSnapshot {
        // The window is a copy that shares its storage: the lock is held for a moment, the rest happens outside.
        var (snapshot, window) = state.withLock { ($0.snapshotWithoutSegments(), $0.window) }
        snapshot.list(window)
        return snapshot
    }

    /// The progress of the playlists that can be had.
    var reach: PlaylistReach { served.reach }
}
