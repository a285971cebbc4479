import Foundation
import Playlists

/// The finished media playlist of a recording under other keys.
enum RekeyedPlaylist {
    /// Tags that follow from the value of a playlist, or that only live ones have.
    private static let rendered: Set<Substring> = [
        "#EXTM3U", "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE",
        "#EXT-X-I-FRAMES-ONLY", "#EXT-X-PLAYLIST-TYPE", "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-PROGRAM-DATE-TIME",
        "#EXT-X-GAP", "#EXTINF", "#EXT-X-BYTERANGE", "#EXT-X-DISCONTINUITY", "#EXT-X-ENDLIST", "#EXT-X-PRELOAD-HINT",
        "#EXT-X-SERVER-CONTROL", "#EXT-X-PART-INF", "#EXT-X-PART", "#EXT-X-SKIP", "#EXT-X-RENDITION-REPORT",
        "#EXT-X-DEFINE", "#EXT-X-CUE-OUT", "#EXT-X-CUE-OUT-CONT", "#EXT-X-CUE-IN", "#EXT-OATCLS-SCTE35",
    ]

    /// - Parameters:
    ///   - playlist: The playlist, with its new keys and maps.
    ///   - text: The former text: lines that a value does not hold, such as EXT-X-DATERANGE, keep their places.
    /// - Returns: The text, of PLAYLIST-TYPE:VOD (RFC 8216bis § 4.4.3.5).
    static func text(_ playlist: MediaPlaylist, keepingLinesOf text: String) -> String {
        var kept = lines(of: text)[...]
        var body = PlaylistLines(isIFramesOnly: playlist.isIFramesOnly)
        for segment in playlist.segments {
            body.append(lines: kept.popFirst() ?? "")
            body.append(segment)
        }
        var recording = playlist
        recording.isOnDemand = true
        return recording.head(of: [body]) + body.text + kept.joined() + "#EXT-X-ENDLIST\n"
    }

    /// Other lines, by the segment below them, and those below the last one.
    private static func lines(of text: String) -> [String] {
        var blocks = [""]
        for line in text.split(whereSeparator: \.isNewline) {
            if !line.hasPrefix("#") {
                blocks.append("")
            } else if line.hasPrefix("#EXT"), !rendered.contains(line.prefix { $0 != ":" }) {
                blocks[blocks.count - 1] += "\(line)\n"
            }
        }
        return blocks
    }
}
