import Atomics
import MediaCore
import Playlists

/// The immutable state that requests are answered from; each change replaces it as a whole.
final class Served: AtomicReference, Sendable {
    let resources: ResourceTable
    let timelines: [RenditionID: RenditionTimeline]
    /// True if nothing more will come, and the playlists say so.
    let isEnded: Bool
    /// True if a player can begin: the playlist has as many segments as it wants ahead, or has ended.
    let isStartable: Bool
    private let hasPlaylists: Bool
    private let renditions: [RenditionDescription]
    /// The first slot that was ever listed, and the newest that is.
    private let numbers: ClosedRange<MediaSequenceNumber>?
    private let segmentDuration: MediaTime

    init(_ state: Presentation.State) {
        resources = state.resources
        timelines = state.timelines
        isEnded = state.showsEnd
        hasPlaylists = state.hasPlaylists
        isStartable = hasPlaylists && (isEnded || state.window.slots.count >= Window.startCount)
        renditions = state.renditions
        let (first, last) = (state.window.firstNumber, state.window.last?.number)
        numbers = first.flatMap { first in last.flatMap { first <= $0 ? first...$0 : nil } }
        segmentDuration = state.configuration.segmentDuration
    }

    var reach: PlaylistReach { PlaylistReach(isStartable: isStartable, isEnded: isEnded, timelines: timelines) }

    func lookup(_ path: String, now: MediaTime) -> Lookup {
        guard let entry = resources[path] else { return publishedPart(path) ?? absence(of: path) }
        guard let resource = entry.resource else { return .notFound(.gap) }
        if let expires = resource.expires, expires <= now { return .notFound(.expired) }
        return .found(resource)
    }

    /// Returns the resource at a path; nil if none exists or it is no longer listed.
    func listed(_ path: String) -> Resource? {
        guard let entry = resources[path] else {
            guard case .found(let part)? = publishedPart(path) else { return nil }
            return part
        }
        return entry.resource.flatMap { $0.expires == nil ? $0 : nil }
    }

    /// Returns the part at a path, or the initialization section of parts whose slot is not over; nil for other paths.
    private func publishedPart(_ path: String) -> Lookup? {
        guard let end = path.firstIndex(of: "/"), case let id = RenditionID(String(path[..<end])),
            let timeline = timelines[id], let kind = renditions.first(where: { $0.id == id })?.kind
        else { return nil }
        if let path = PartPath(path), let part = timeline.parts[path.position] {
            guard let body = body(of: part, at: path) else { return .notFound(part.isGap ? .gap : .expired) }
            return .found(Resource(body, of: kind, entityTag: part.entityTag ?? "", head: part.head))
        }
        let name = path[path.index(after: end)...]
        let openings = timeline.parts.slots.lazy.compactMap(\.opening?.initialization)
        guard let bytes = openings.last(where: { $0.name == name })?.bytes else { return nil }
        let entityTag = ContentHash(of: bytes).entityTag
        return .found(Resource(.initialization, at: path, of: kind, body: .memory(bytes), entityTag: entityTag))
    }

    private func body(of part: ListedPart, at path: PartPath) -> Body? {
        switch part.content {
        case .own(let bytes): .memory(bytes)
        case .segment(let range): resources[path.segment]?.resource?.body.slice(range)
        case .gap: nil
        }
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

    /// Returns true if the path names a segment of a published slot, or a part that may have existed.
    private func hasExpired(_ path: String) -> Bool {
        if let part = PartPath(path), let timeline = timelines[part.rendition], timeline.playlist?.hasParts == true {
            let isOld = timeline.parts.slots.first.map { part.number < $0.number } ?? true
            return isOld && numbers?.contains(part.number) ?? false
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let rendition = renditions.first(where: { $0.id.name == parts[0] }),
            case let suffix = ".\(rendition.format.rawValue)", parts[1].hasSuffix(suffix),
            let number = Int64(parts[1].dropLast(suffix.count)).map(MediaSequenceNumber.init)
        else { return false }
        return numbers?.contains(number) ?? false
    }
}
