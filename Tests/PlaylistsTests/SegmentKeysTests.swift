import MediaCore
import Playlists
import Testing

/// Several keys for one segment: one a KEYFORMAT (RFC 8216bis § 4.4.4.4).
@Suite struct SegmentKeysTests {
    private static func key(_ format: String?, _ name: String) -> EncryptionKey {
        EncryptionKey(method: .sampleAES, uri: name, keyFormat: format)
    }

    /// One playlist a list of keys, of segment after segment; nil is a gap in which those before stay in force.
    private static func playlist(_ keys: [[EncryptionKey]?]) -> MediaPlaylist {
        var playlist = MediaPlaylist(targetDuration: 6, mediaSequence: MediaSequenceNumber(7))
        for (number, keys) in keys.enumerated() {
            let inForce = keys ?? playlist.segments.last?.keys ?? []
            playlist.segments.append(
                MediaPlaylist.Segment(
                    uri: "\(number).ts",
                    duration: SegmentDuration(value: 4_000_000, timescale: 1_000_000),
                    programDateTime: MediaTime(seconds: 4 * Int64(number)),
                    isGap: keys == nil,
                    keys: inForce
                )
            )
        }
        return playlist
    }

    /// The tags of keys and the URIs of segments, in short.
    private static func lines(of playlist: MediaPlaylist) -> [String] {
        playlist.render().split(separator: "\n").compactMap { line in
            if line == "#EXT-X-KEY:METHOD=NONE" { return "none" }
            if line.hasPrefix("#EXT-X-KEY:") { return line.split(separator: "\"").dropFirst().first.map(String.init) }
            return line.hasPrefix("#") ? nil : String(line)
        }
    }

    private static let (first, second) = (key(nil, "a"), key("com.example.system", "b"))

    @Test(arguments: [
        // Both are said once, and stay in force across a gap.
        ([[first, second], nil, [first, second]], ["a", "b", "0.ts", "1.ts", "2.ts"]),
        // Only the one that changes is said again.
        ([[first, second], [first, key("com.example.system", "c")]], ["a", "b", "0.ts", "c", "1.ts"]),
        // Where one goes without a successor, so do all.
        ([[first, second], [second]], ["a", "b", "0.ts", "none", "b", "1.ts"]),
        ([[first, second], [], [first]], ["a", "b", "0.ts", "none", "1.ts", "a", "2.ts"]),
        // Another format takes no other's place.
        ([[first], [second], [first, second]], ["a", "0.ts", "none", "b", "1.ts", "none", "a", "b", "2.ts"]),
        // The format of identity may be said or not.
        ([[first], [key("identity", "c")]], ["a", "0.ts", "c", "1.ts"]),
    ])
    func tagsSayWhatChanges(keys: [[EncryptionKey]?], lines: [String]) throws {
        let playlist = Self.playlist(keys)
        #expect(Self.lines(of: playlist) == lines)
        #expect(try MediaPlaylist(parsing: playlist.render()) == playlist)
    }

    @Test func aMapHasItsKeysBeforeIt() throws {
        var playlist = Self.playlist([[Self.first, Self.second], [Self.first, Self.second]])
        for index in playlist.segments.indices {
            playlist.segments[index].map = MediaInitialization(uri: "init.mp4", keys: index == 0 ? [] : [Self.first])
        }
        #expect(Self.lines(of: playlist) == ["a", "b", "0.ts", "none", "a", "none", "a", "b", "1.ts"])
        #expect(try MediaPlaylist(parsing: playlist.render()) == playlist)
    }
}
