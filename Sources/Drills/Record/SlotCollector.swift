import MediaCore
import Playlists

/// Collects what playlists list, and how long each goes without anything new.
struct SlotCollector: Hashable, Sendable {
    private(set) var renditions: [DrillRecord.Rendition] = []
    private(set) var ranges: [DrillRecord.Range] = []
    private(set) var ages: [DrillRecord.Age] = []
    private(set) var targetDuration = 0
    private var progress: [String: Progress] = [:]

    private struct Progress: Hashable {
        /// The highest number listed.
        var last: Int
        /// The time when it was seen first.
        var gained: Int
        /// The longest time for which it is proven that nothing followed.
        var proven = 0
    }

    /// True if all renditions have three target durations of media, which players stay behind the edge (RFC 8216bis §
    /// 6.3.3).
    var hasWindow: Bool {
        targetDuration > 0
            && renditions.allSatisfy { rendition in
                let media = rendition.slots.lazy.filter { $0.kind == .media }.map { $0.span.end - $0.span.start }
                return media.reduce(0, +) >= 3 * 1000 * targetDuration
            }
    }

    /// Learns the media playlists, in the order in which they are shown.
    mutating func multivariantLoaded(_ playlist: MultivariantPlaylist) {
        for variant in playlist.variants {
            let isVideo = variant.resolution != nil || variant.audioGroup != nil || variant.codecs.count != 1
            add(Self.name(of: variant.uri), isVideo: isVideo)
        }
        for rendition in playlist.renditions {
            if let uri = rendition.uri { add(Self.name(of: uri), isVideo: false) }
        }
        for subtitles in playlist.subtitles { add(Self.name(of: subtitles.uri), isVideo: false) }
    }

    private mutating func add(_ name: String, isVideo: Bool) {
        if !renditions.contains(where: { $0.name == name }) {
            renditions.append(DrillRecord.Rendition(name: name, isVideo: isVideo))
        }
    }

    /// Takes a media playlist.
    ///
    /// - Parameters:
    ///   - uri: As the multivariant playlist names it.
    ///   - playlist: The playlist.
    ///   - requested: The time when it was asked for, in milliseconds since zero.
    ///   - now: The time when it was there.
    ///   - clock: Turns UTC into milliseconds since zero.
    mutating func playlistLoaded(_ uri: String, _ playlist: MediaPlaylist, requested: Int, now: Int, clock: DrillClock)
    {
        let name = Self.name(of: uri)
        guard let index = renditions.firstIndex(where: { $0.name == name }) else { return }
        targetDuration = max(targetDuration, playlist.targetDuration)
        let breaks = Set(playlist.allDateRanges.filter { $0.spliceOut != nil }.map(\.id))
        take(playlist.allDateRanges.filter { breaks.contains($0.id) }, now: now, clock)
        let known = renditions[index].slots.last?.number ?? Int.min
        for (offset, segment) in playlist.segments.enumerated() {
            let number = Int(playlist.mediaSequence.value) + offset
            guard number > known else { continue }
            let start = clock.time(ofUTC: segment.programDateTime)
            let end = clock.time(ofUTC: segment.programDateTime + segment.duration.time)
            renditions[index].slots.append(
                DrillRecord.Slot(
                    number: number,
                    span: Span(start, end),
                    kind: segment.isGap ? .gap : .media,
                    isDiscontinuity: segment.startsDiscontinuity,
                    listed: now
                )
            )
        }
        guard let last = renditions[index].slots.last?.number else { return }
        guard let before = progress[name], before.last == last else {
            if let before = progress[name] { add(before, of: name, at: now) }
            progress[name] = Progress(last: last, gained: now)
            return
        }
        // Slots that came after the request prove nothing.
        progress[name]?.proven = max(before.proven, requested - before.gained)
    }

    /// Takes the tags of ranges that leave the programme.
    private mutating func take(_ tags: [DateRange], now: Int, _ clock: DrillClock) {
        for tag in tags {
            guard let start = tag.start else { continue }
            let end = tags.end(of: tag.id).map { clock.time(ofUTC: $0) }
            if let index = ranges.firstIndex(where: { $0.id == tag.id }) {
                ranges[index].end = end ?? ranges[index].end
            } else {
                let range = DrillRecord.Range(id: tag.id, start: clock.time(ofUTC: start), end: end, listed: now)
                ranges.append(range)
            }
        }
    }

    /// Enters how old playlists are at the end.
    mutating func finish(at now: Int) {
        for (name, progress) in progress.sorted(by: { $0.key < $1.key }) { add(progress, of: name, at: now) }
    }

    private mutating func add(_ progress: Progress, of name: String, at time: Int) {
        if progress.proven > 0 { ages.append(DrillRecord.Age(time: time, rendition: name, age: progress.proven)) }
    }

    /// A rendition's name is its playlist's, without folder and extension.
    private static func name(of uri: String) -> String {
        let last = uri.prefix { $0 != "?" }.split(separator: "/").last ?? ""
        return String(last.split(separator: ".").first ?? last)
    }
}
