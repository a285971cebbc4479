import MediaCore
import Playlists

/// The date ranges that have left the playlists lately: a delta update without date ranges names them (RFC 8216bis §
/// 4.4.5.2).
///
/// Times follow the media, so that both packagers of a pair name the same ranges.
struct RemovedRanges: Sendable {
    private var removed: [(id: String, time: MediaTime)] = []
    /// The end of a window that was taken over, before which nothing is known; nil if there was none.
    private var start: MediaTime?

    init(knownFrom start: MediaTime? = nil) {
        self.start = start
    }

    /// Notes a change of the window.
    mutating func note(_ before: [DateRange], _ after: [DateRange], at end: MediaTime, keeping time: MediaTime) {
        removed.removeAll { $0.time + time < end }
        if before.isEmpty { return }
        let ids = Set(after.map(\.id))
        var gone = Set(before.map(\.id)).subtracting(ids)
        removed.removeAll { ids.contains($0.id) }
        // In the order of the lines.
        for range in before where gone.remove(range.id) != nil { removed.append((range.id, end)) }
    }

    /// Returns the identifiers of the ranges that left within a time; nil if they are not known.
    func identifiers(at end: MediaTime?, within time: MediaTime) -> [String]? {
        if let start, end.map({ $0 < start + time }) ?? true { return nil }
        return removed.map(\.id)
    }
}
