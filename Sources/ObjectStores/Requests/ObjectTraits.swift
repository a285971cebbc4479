import MediaCore
import Playlists

/// The header fields that an object is stored with, and served with later.
struct ObjectTraits: Hashable, Sendable {
    var contentType: String
    var cacheControl: String

    /// The traits of a file below a channel's URL.
    ///
    /// - Parameters:
    ///   - path: The path below the channel's URL.
    ///   - targetDuration: The target duration of the channel, in seconds.
    init(of path: String, targetDuration: Int) {
        if MultivariantName(rawValue: path) != nil {
            contentType = Self.playlist
            cacheControl = "public, max-age=\(targetDuration)"
        } else if path.hasSuffix(".m3u8") {
            contentType = Self.playlist
            // RFC 8216bis § 6.3.4: players reload after half a target duration if nothing was new.
            cacheControl = "public, max-age=\(max(1, targetDuration / 2))"
        } else if path.hasSuffix(".json") {
            contentType = "application/json"
            cacheControl = "public, max-age=\(targetDuration)"
        } else {
            let kind: MediaKind = path.hasPrefix("video") ? .video : path.hasPrefix("audio") ? .audio : .text(.webVTT)
            contentType = SegmentFormat(path: path).contentType(of: kind)
            // Its bytes never change (RFC 8216bis § 6.2.1), and its name is given once.
            cacheControl = "public, max-age=31536000, immutable"
        }
    }

    /// The traits of a file of a finished recording, as the origin serves it.
    ///
    /// - Parameter path: The path below the recording.
    init(ofRecording path: String) {
        contentType =
            switch path.split(separator: ".").last {
            case "m3u8"?: Self.playlist
            case "json"?: "application/json"
            case "jpg"?: "image/jpeg"
            case "mp4"?: "video/mp4"
            case let suffix?:
                SegmentFormat(rawValue: String(suffix))?.contentType(of: .video) ?? "application/octet-stream"
            case nil: "application/octet-stream"
            }
        // It never changes, but may be removed: a day is enough for caches.
        cacheControl = "public, max-age=86400, immutable"
    }

    private static let playlist = "application/vnd.apple.mpegurl"
}
