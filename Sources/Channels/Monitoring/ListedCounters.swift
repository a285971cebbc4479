package import MediaCore
package import Playlists
package import Presentation
import Synchronization

/// Counts the segments of each rendition in the window, and keeps the newest ones, for the status shown to operators.
///
/// A window may have a day of slots, so requests must not iterate over them.
package final class ListedCounters: PublicationConsumer {
    package struct Rendition: Hashable, Sendable {
        /// The number of listed slots with a segment.
        package var segments = 0
        /// The number of listed slots with a gap.
        package var gaps = 0
        /// The segments and gaps of the newest slots, oldest first.
        package var newest: [WindowSnapshot.Segment] = []

        /// The bits per second of the newest segments, the most of one and of all together; nil without a segment.
        package var bandwidth: (peak: Int, average: Int)? {
            let media = newest.filter { !$0.isGap && $0.duration.time > .zero }
            let rates = media.map { Int(Double(8 * $0.byteCount) / $0.duration.time.seconds) }
            let seconds = media.reduce(0) { $0 + $1.duration.time.seconds }
            return rates.max().map { ($0, Int(Double(media.reduce(0) { $0 + 8 * $1.byteCount }) / seconds)) }
        }

        package init() {}

        fileprivate init(_ id: RenditionID, in window: SavedWindow) {
            (segments, gaps) = window.counts(of: id)
            newest = window.segments(of: id, inNewest: ListedCounters.newestCount)
        }
    }

    /// The number of newest slots that are kept, enough to tell the present bit rate of a rendition.
    static let newestCount = 30

    package let name = "counters"
    package let policy = ConsumerPolicy.observes
    package let interest: Publication.Kinds = [.window, .slots]
    private let state = Mutex<[RenditionID: Rendition]>([:])

    package init() {}

    package var renditions: [RenditionID: Rendition] { state.withLock { $0 } }

    /// The time of the end of the last segment, in UTC; nil while nothing is listed.
    package var liveEdge: MediaTime? {
        renditions.values.compactMap(\.newest.last).map { $0.start + $0.duration.time }.max()
    }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        for publication in batch {
            switch publication {
            case .window(let snapshot): count(snapshot.window)
            case .slots(let slots): count(slots.window)
            default: break
            }
        }
        return .done
    }

    private func count(_ window: SavedWindow) {
        let counted = window.renditions.map { ($0.id, Rendition($0.id, in: window)) }
        state.withLock { $0 = Dictionary(counted) { first, _ in first } }
    }
}
