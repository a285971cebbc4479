import ISOBMFF
import MediaCore

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// An edge of the grid of four seconds: where the slot of number 0 begins in summaries.
enum Epoch {
    static let time = MediaTime(seconds: 1_795_000_000)
    static let slot = MediaSequenceNumber(448_750_000)

    static func at(_ milliseconds: Int64) -> MediaTime { time + MediaTime(milliseconds: milliseconds) }
}

extension CutSegment {
    /// Slot, start and end on the media timeline in milliseconds, and what it begins with: `1 4000-8000 sync 100`.
    var summary: String {
        let (from, to) = (start.media - Epoch.time, end.media - Epoch.time)
        let content = samples.first.map { "\($0.isSync ? "sync" : "non-sync") \(samples.count)" } ?? "gap"
        return "\(number.value - Epoch.slot.value) \(from.milliseconds)-\(to.milliseconds) \(content)"
    }

    /// Decode and presentation time of every sample, in units of the timescale.
    var times: [(decode: Int64, presentation: Int64)] {
        var decode = decodeTime
        return samples.map { sample in
            defer { decode += Int64(sample.duration) }
            return (decode, decode + Int64(sample.compositionOffset))
        }
    }
}

extension Slot {
    /// The segments of all tracks, `absent` for one that is left out.
    var summary: String {
        let segments = segments.map { $0?.summary ?? "absent" }.joined(separator: " | ")
        return startsDiscontinuity ? "discontinuity \(segments)" : segments
    }
}
