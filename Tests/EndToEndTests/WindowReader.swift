import Foundation
import MediaCore
import Playlists
import TestSupport

/// Media playlists of a packager under test, read by way of HTTP.
extension PackagerProcess {
    /// The port where it listens.
    var port: Int { origin.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    func mediaPlaylist(_ rendition: String) async throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try await text("\(rendition).m3u8"))
    }

    /// Waits until a media playlist is as wanted.
    func mediaPlaylist(
        _ rendition: String,
        within seconds: Double = 40,
        _ what: String,
        where isWanted: @escaping @Sendable (MediaPlaylist) -> Bool
    ) async throws -> MediaPlaylist {
        try await eventually(within: seconds, what) {
            let playlist = try await self.mediaPlaylist(rendition)
            return isWanted(playlist) ? playlist : nil
        }
    }
}

extension MediaPlaylist {
    /// Its segments in runs of one key and one map, each as an ended playlist with absolute URIs.
    ///
    /// FFmpeg's HLS demuxer keeps the first key of SAMPLE-AES in fMP4, so each period has to be played by itself.
    func periods(base: String) -> [MediaPlaylist] {
        var runs: [MediaPlaylist] = []
        for segment in segments {
            var absolute = segment
            absolute.uri = "\(base)/\(segment.uri)"
            absolute.keys = segment.keys.map { $0.below(base) }
            absolute.map?.uri = "\(base)/\(segment.map?.uri ?? "")"
            absolute.map?.keys = (segment.map?.keys ?? []).map { $0.below(base) }
            if let last = runs.last?.segments.last, last.keys == absolute.keys, last.map == absolute.map {
                runs[runs.count - 1].segments.append(absolute)
            } else {
                var run = self
                run.mediaSequence = MediaSequenceNumber(
                    mediaSequence.value + Int64(runs.reduce(0) { $0 + $1.segments.count })
                )
                run.segments = [absolute]
                run.isEnded = true
                runs.append(run)
            }
        }
        return runs
    }
}

extension EncryptionKey {
    /// With an absolute URI.
    fileprivate func below(_ base: String) -> Self {
        var key = self
        if effectiveKeyFormat == "identity" { key.uri = "\(base)/\(uri)" }
        return key
    }
}

/// Input options with which FFmpeg reads our playlists from anywhere.
let playlistOptions = ["-allowed_extensions", "ALL", "-protocol_whitelist", "file,http,tcp,crypto,data", "-i"]
