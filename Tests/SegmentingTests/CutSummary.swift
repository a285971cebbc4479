import ISOBMFF
import MediaCore
import Segmenting
import SegmentingSupport

extension CutSegment {
    /// Slot, start and end on the media timeline in milliseconds, and what it begins with: `1 4000-8000 sync 100`, or of
    /// text the starts of its cues: `1 4000-8000 [5000, 6000]`.
    var summary: String {
        let (from, to) = (start.media - Epoch.time, end.media - Epoch.time)
        let content =
            cues.map { "\($0.map { ($0.start - Epoch.time).milliseconds })" }
            ?? samples.first.map { "\($0.isSync ? "sync" : "non-sync") \(samples.count)" } ?? "gap"
        return "\(number.value - Epoch.slot.value) \(from.milliseconds)-\(to.milliseconds) \(content)"
    }
}

extension Slot {
    /// The segments of all tracks, `absent` for one that is left out.
    var summary: String {
        let segments = segments.map { $0?.summary ?? "absent" }.joined(separator: " | ")
        return startsDiscontinuity ? "discontinuity \(segments)" : segments
    }
}
