import MediaCore
import Playlists

/// A correct live stream as a function of time: slots of 4 s counted from 1970, a target duration of 6 s, 15 listed.
struct RollingPlaylist {
    var track = "video"
    var gaps: Set<Int64> = []
    var discontinuities: Set<Int64> = []
    /// Slots for one key and one initialization section.
    var keyPeriod: Int64 = .max
    var window: Int64 = 15
    /// No slot is published from this one on.
    var stopsBefore: Int64 = .max
    var isEnded = false

    static let slot: Int64 = 4

    /// Returns the playlist once the slot before `end` is complete.
    func playlist(end: Int64) -> MediaPlaylist {
        let end = min(end, stopsBefore)
        return MediaPlaylist(
            targetDuration: 6,
            mediaSequence: MediaSequenceNumber(end - window),
            discontinuitySequence: discontinuities.count { $0 < end - window },
            segments: ((end - window)..<end).map(segment),
            isEnded: isEnded && end == stopsBefore
        )
    }

    func playlist(at time: MediaTime) -> MediaPlaylist {
        playlist(end: time.ticks / (Self.slot * MediaTime.timescale))
    }

    func segment(_ number: Int64) -> MediaPlaylist.Segment {
        let period = number / keyPeriod
        return MediaPlaylist.Segment(
            uri: "\(track)/\(number).m4s",
            duration: SegmentDuration(value: Self.slot, timescale: 1),
            programDateTime: MediaTime(seconds: number * Self.slot),
            isGap: gaps.contains(number),
            startsDiscontinuity: discontinuities.contains(number),
            keys: keyPeriod == .max ? [] : [EncryptionKey(method: .sampleAES, uri: "keys/\(period)")],
            map: MediaInitialization(uri: "\(track)/init-\(period).mp4")
        )
    }
}
