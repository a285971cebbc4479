import Atomics
import MediaCore
import Playlists

/// All that requests are answered from at one moment; it never changes, and is replaced as a whole.
final class Served: AtomicReference, Sendable {
    let resources: ResourceTable
    let timelines: [RenditionID: RenditionTimeline]
    /// True if nothing more will come.
    let isEnded: Bool
    /// True if a player has enough to begin with: as many segments as it wants ahead, or all there will be.
    let isStartable: Bool
    private let hasPlaylists: Bool
    private let renditions: [RenditionDescription]
    /// The first slot that was ever listed, and the newest that is.
    private let numbers: ClosedRange<MediaSequenceNumber>?
    private let segmentDuration: MediaTime

    init(_ state: Presentation.State) {
        resources = state.resources
        timelines = state.timelines
        isEnded = state.isEnded
        hasPlaylists = state.hasPlaylists
        isStartable = hasPlaylists && (isEnded || state.window.slots.count >= Window.startCount)
        renditions = state.renditions
        let (first, last) = (state.window.firstNumber, state.window.last?.number)
        numbers = first.flatMap { first in last.flatMap { first <= $0 ? first...$0 : nil } }
        segmentDuration = state.configuration.segmentDuration
    }

    var reach: PlaylistReach { PlaylistReach(isStartable: isStartable, isEnded: isEnded, timelines: timelines) }

    func lookup(_ path: String, now: MediaTime) -> Lookup {
        guard let entry = resources[path] else { return absence(of: path) }
        guard let resource = entry.resource else { return .notFound(.gap) }
        if let expires = resource.expires, expires <= now { return .notFound(.expired) }
        return .found(resource)
    }

    /// Returns the reason why a path names nothing.
    private func absence(of path: String) -> Lookup {
        // Playlists are put in place a moment after the first slot.
        if !hasPlaylists, !isEnded, path.hasSuffix(".m3u8") {
            let second = MediaTime.timescale
            return .starting(retryAfter: Int((segmentDuration.ticks + second - 1) / second))
        }
        return .notFound(hasExpired(path) ? .expired : .unknown)
    }

    /// Returns true if the path is that of a segment of a slot that was published.
    private func hasExpired(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let rendition = renditions.first(where: { $0.id.name == parts[0] }),
            case let suffix = ".\(rendition.format.rawValue)", parts[1].hasSuffix(suffix),
            let number = Int64(parts[1].dropLast(suffix.count)).map(MediaSequenceNumber.init)
        else { return false }
        return numbers?.contains(number) ?? false
    }
}
