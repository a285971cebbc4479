package import MediaCore
import Playlists

/// A section of SCTE-35 as segments carry it.
package struct TimedSection: Hashable, Sendable {
    package var utc: MediaTime
    /// The expected duration of the break that it begins; nil if it is not known, zero for an event without
    /// duration.
    package var duration: MediaTime?
    package var bytes: [UInt8]

    /// Takes the section of a tag; nil if it has none.
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
