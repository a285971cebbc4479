package import MediaCore
import Timeline

/// How long slots are waited for.
extension Segmenter {
    /// What a late key frame and a busy machine may add to a slot's deadline.
    private static let grace = MediaTime(milliseconds: 500)

    /// When a slot is given up waiting for: its end, plus what a late key frame may take, plus the feed's own delay.
    ///
    /// What is told in parts goes on as long as there are some.
    package func deadline(of slot: MediaSequenceNumber) -> MediaTime {
        let end = plan.start(of: slot.next)
        guard let longest = horizon.partDuration, let open = tracks[leader.value].open, open.number == slot else {
            return end + patience
        }
        return max(end, open.toldEnd.utc + longest) + patienceOfParts
    }

    /// How long after its end a slot is given up waiting for.
    var patience: MediaTime { grid.tolerance + latency + Self.grace }

    /// The longest that the samples of a source came after their UTC lately.
    ///
    /// Sources that others have outlived do not count.
    var latency: MediaTime {
        let heard = tracks.range.flatMap { track in
            tracks[track.value].sources.indices.compactMap { source in
                tracks[track.value].sources[source].newestArrival.map {
                    ($0, tracks[track.value].sources[source].latency.most)
                }
            }
        }
        guard let newest = heard.map(\.0).max() else { return .zero }
        let oldest = newest - grid.slotDuration * (2 * TrackSource.latencySlots)
        return heard.filter { $0.0 >= oldest }.map(\.1).max() ?? .zero
    }
}
