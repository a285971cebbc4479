import MediaCore
import Playlists

extension RollingPlaylist {
    /// Returns the playlist with parts of a second, of which the slot after the last whole one has so many.
    func lowLatency(end: Int64, parts count: Int) -> MediaPlaylist {
        var playlist = playlist(end: end)
        playlist.partTarget = MediaTime(seconds: 1)
        playlist.serverControl = MediaPlaylist.ServerControl(
            canSkipUntil: MediaTime(seconds: 36),
            holdBack: MediaTime(seconds: 18),
            partHoldBack: MediaTime(seconds: 3),
            canBlockReload: true
        )
        for index in playlist.segments.indices.suffix(4) {
            let number = end - Int64(playlist.segments.count - index)
            playlist.segments[index].parts = (0..<Int(Self.slot)).map { part(number, $0) }
        }
        let next = segment(end)
        if count > 0 {
            playlist.openSegments = [
                MediaPlaylist.OpenSegment(
                    programDateTime: next.programDateTime,
                    startsDiscontinuity: next.startsDiscontinuity,
                    keys: next.keys,
                    map: next.map,
                    parts: (0..<count).map { part(end, $0) }
                )
            ]
        }
        playlist.hints = [MediaPlaylist.PreloadHint(kind: .part, uri: part(end, count).uri)]
        return playlist
    }

    func part(_ number: Int64, _ index: Int, milliseconds: Int64 = 1000) -> MediaPlaylist.Part {
        MediaPlaylist.Part(
            uri: "\(track)/\(number).\(index).m4s",
            duration: SegmentDuration(value: milliseconds * 1000, timescale: 1_000_000),
            isIndependent: index == 0,
            isGap: gaps.contains(number)
        )
    }
}
