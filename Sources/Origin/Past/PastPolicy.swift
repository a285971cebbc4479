import MediaCore
import Recording

/// The `Cache-Control` of playlists and media of the past.
struct PastPolicy {
    let channel: CachePolicy
    let past: OriginPast
    /// The length of a slot.
    let segmentDuration: MediaTime

    /// The longest time that caches keep a final playlist: a day would hide removals by the operator.
    private static let longestSeconds: Int64 = 3600
    /// The time that caches keep media if the recording has no age limit: a full disk may remove it.
    private static let mediaSeconds: Int64 = 86_400

    func mediaPlaylist(_ section: PastSection, now: MediaTime) -> String {
        guard section.phase == .onDemand else { return channel.livePlaylist }
        return "public, max-age=\(min(Self.longestSeconds, remaining(section.numbers.lowerBound, now: now)))"
    }

    /// Returns the policy of media.
    ///
    /// - Parameters:
    ///   - number: The slot of a segment; nil for an initialization section.
    ///   - now: UTC.
    /// - Returns: The value of the field: as long as the recording keeps the media, or a day if it has no age limit.
    func media(_ number: MediaSequenceNumber?, now: MediaTime) -> String {
        let seconds = number.map { remaining($0, now: now) } ?? past.keeps.map { $0.ticks / MediaTime.timescale }
        return "public, max-age=\(seconds ?? Self.mediaSeconds), immutable"
    }

    func refusal(_ refusal: PastRefusal) -> String {
        switch refusal {
        case .beforeRecording: channel.absence
        case let refusal where refusal.isMalformed: channel.absence
        // The range may be there in a moment, here or at the other packager of a pair.
        default: "no-store"
        }
    }

    /// Seconds for which a slot is kept at least.
    private func remaining(_ number: MediaSequenceNumber, now: MediaTime) -> Int64 {
        guard let keeps = past.keeps else { return Self.mediaSeconds }
        return max(0, (segmentDuration * number.next.value + keeps - now).ticks / MediaTime.timescale)
    }
}
