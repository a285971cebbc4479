package import MediaCore
import Playlists

/// A section of SCTE 35 as segments themselves tell of it.
package struct TimedSection: Hashable, Sendable {
    package var utc: MediaTime
    /// How long what begins with it is expected to last; nil where that is not known, zero of what only happens.
    package var duration: MediaTime?
    package var bytes: [UInt8]

    /// What playlists are told of it; nil where that has no section.
    init?(_ tag: DateRange) {
        guard let start = tag.start else { return nil }
        if let bytes = tag.spliceOut {
            (utc, duration, self.bytes) = (start, tag.plannedDuration, bytes)
        } else if let bytes = tag.spliceIn {
            (utc, duration, self.bytes) = (start + (tag.duration ?? .zero), .zero, bytes)
        } else if let bytes = tag.spliceCommand {
            (utc, duration, self.bytes) = (start, .zero, bytes)
        } else {
            return nil
        }
    }
}
