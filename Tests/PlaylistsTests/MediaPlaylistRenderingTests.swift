import MediaCore
import Testing

@testable import Playlists

@Suite struct MediaPlaylistRenderingTests {
    private static let start = MediaTime(milliseconds: 1_795_248_000_000)

    private static func segment(
        _ number: Int64,
        isGap: Bool = false,
        startsDiscontinuity: Bool = false,
        key: EncryptionKey? = nil,
        map: String? = nil
    ) -> MediaPlaylist.Segment {
        MediaPlaylist.Segment(
            uri: "video-1080p/\(448_812_000 + number).m4s",
            duration: SegmentDuration(MediaTime(seconds: 4)),
            programDateTime: start + MediaTime(seconds: 4 * number),
            isGap: isGap,
            startsDiscontinuity: startsDiscontinuity,
            keys: key.map { [$0] } ?? [],
            map: map.map { MediaInitialization(uri: $0, keys: key.map { [$0] } ?? []) }
        )
    }

    private static func key(_ name: String) -> EncryptionKey {
        EncryptionKey(method: .sampleAES, uri: "keys/\(name)", initializationVector: Bytes16(high: 0, low: 7))
    }

    private static func playlist(_ segments: [MediaPlaylist.Segment]) -> MediaPlaylist {
        MediaPlaylist(targetDuration: 6, mediaSequence: MediaSequenceNumber(448_812_000), segments: segments)
    }

    @Test func clearWindowWithAGapAndADiscontinuity() {
        var playlist = Self.playlist([
            Self.segment(0, map: "video-1080p/init-a.mp4"),
            Self.segment(1, isGap: true, map: "video-1080p/init-a.mp4"),
            Self.segment(2, startsDiscontinuity: true, map: "video-1080p/init-b.mp4"),
        ])
        playlist.discontinuitySequence = 3
        playlist.isEnded = true
        #expect(
            playlist.render() == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448812000
                #EXT-X-DISCONTINUITY-SEQUENCE:3
                #EXT-X-MAP:URI="video-1080p/init-a.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
                #EXTINF:4.000000,
                video-1080p/448812000.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:04.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                video-1080p/448812001.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="video-1080p/init-b.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:08.000Z
                #EXTINF:4.000000,
                video-1080p/448812002.m4s
                #EXT-X-ENDLIST

                """
        )
    }

    @Test func aNewKeyComesAfterTheDiscontinuityAndBeforeItsMap() {
        let (first, second) = (Self.key("a"), Self.key("b"))
        let playlist = Self.playlist([
            Self.segment(0, key: first, map: "init-a.mp4"),
            Self.segment(1, key: first, map: "init-a.mp4"),
            Self.segment(2, startsDiscontinuity: true, key: second, map: "init-b.mp4"),
            Self.segment(3, map: "init.mp4"),
        ])
        #expect(
            playlist.render() == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448812000
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/a",IV=0x00000000000000000000000000000007
                #EXT-X-MAP:URI="init-a.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
                #EXTINF:4.000000,
                video-1080p/448812000.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:04.000Z
                #EXTINF:4.000000,
                video-1080p/448812001.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/b",IV=0x00000000000000000000000000000007
                #EXT-X-MAP:URI="init-b.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:08.000Z
                #EXTINF:4.000000,
                video-1080p/448812002.m4s
                #EXT-X-KEY:METHOD=NONE
                #EXT-X-MAP:URI="init.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:12.000Z
                #EXTINF:4.000000,
                video-1080p/448812003.m4s

                """
        )
    }

    @Test func aNewKeyRepeatsTheMapThatItCovers() {
        let lines = Self.playlist([
            Self.segment(0, key: Self.key("a"), map: "init.mp4"), Self.segment(1, key: Self.key("b"), map: "init.mp4"),
        ]).render().split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("#EXT-X-MAP") }.count == 2)
    }

    @Test func aClearMapComesBeforeTheFirstKeyAndOutlastsAllKeys() throws {
        var playlist = Self.playlist([
            Self.segment(0, key: Self.key("a"), map: "init.mp4"), Self.segment(1, key: Self.key("b"), map: "init.mp4"),
        ])
        for index in playlist.segments.indices { playlist.segments[index].map?.keys = [] }
        #expect(Self.scope(of: playlist) == ["MAP init.mp4", "KEY a", "KEY b"])
        #expect(try MediaPlaylist(parsing: playlist.render()).segments.map(\.map) == playlist.segments.map(\.map))
    }

    /// A window that an earlier version has begun: its lines stay what they were.
    @Test func aClearMapBehindOneThatIsEncryptedIsNotCoveredByItsKey() throws {
        var playlist = Self.playlist([
            Self.segment(0, key: Self.key("a"), map: "encrypted.mp4"),
            Self.segment(1, key: Self.key("a"), map: "init.mp4"),
            Self.segment(2, key: Self.key("b"), map: "init.mp4"), Self.segment(3, map: "init.mp4"),
        ])
        for index in 1...2 { playlist.segments[index].map?.keys = [] }
        #expect(
            Self.scope(of: playlist)
                == ["KEY a", "MAP encrypted.mp4", "NONE", "MAP init.mp4", "KEY a", "KEY b", "NONE"]
        )
        #expect(try MediaPlaylist(parsing: playlist.render()).segments.map(\.map) == playlist.segments.map(\.map))
    }

    /// METHOD=AES-128 whose map is encrypted too: only the map's key has an initialization vector.
    @Test func anEncryptedMapIsCoveredByAKeyOfItsOwn() throws {
        let keys = (0..<4).map { EncryptionKey(method: .aes128, uri: "keys/\($0 / 2)") }
        var playlist = Self.playlist((0..<4).map { Self.segment($0, key: keys[Int($0)], map: "init.mp4") })
        for index in playlist.segments.indices {
            let vector = Bytes16(high: 0, low: UInt64(index / 2))
            playlist.segments[index].map?.keys[0].initializationVector = vector
        }
        let tags = playlist.render().split(separator: "\n").filter { $0.hasPrefix("#EXT-X-KEY") || $0.contains("MAP") }
        let zeros = String(repeating: "0", count: 31)
        #expect(
            tags == [
                "#EXT-X-KEY:METHOD=AES-128,URI=\"keys/0\",IV=0x\(zeros)0", "#EXT-X-MAP:URI=\"init.mp4\"",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"keys/0\"",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"keys/1\",IV=0x\(zeros)1", "#EXT-X-MAP:URI=\"init.mp4\"",
                "#EXT-X-KEY:METHOD=AES-128,URI=\"keys/1\"",
            ]
        )
        #expect(try MediaPlaylist(parsing: playlist.render()).segments.map(\.map) == playlist.segments.map(\.map))
    }

    /// The tags that bring keys and maps into force, in short.
    private static func scope(of playlist: MediaPlaylist) -> [String] {
        playlist.render().split(separator: "\n").compactMap { line in
            if line.hasPrefix("#EXT-X-KEY:METHOD=NONE") { return "NONE" }
            guard let tag = ["KEY", "MAP"].first(where: { line.hasPrefix("#EXT-X-\($0):") }) else { return nil }
            let uri = line.split(separator: "\"").dropFirst().first?.split(separator: "/").last ?? ""
            return "\(tag) \(uri)"
        }
    }

    @Test func aGapWithoutKeyAndMapLeavesTheirScopeAlone() {
        let lines = Self.playlist([
            Self.segment(0, key: Self.key("a"), map: "init.mp4"), Self.segment(1, isGap: true),
            Self.segment(2, key: Self.key("a"), map: "init.mp4"),
        ]).render().split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("#EXT-X-KEY") || $0.hasPrefix("#EXT-X-MAP") }.count == 2)
    }

    @Test func keyAndMapStandAtTheHeadWhereverTheWindowBegins() throws {
        let segments = (0..<8).map { number in
            Self.segment(number, isGap: number == 3, key: Self.key("\(number / 3)"), map: "init-\(number / 3).mp4")
        }
        for head in segments.indices {
            let window = Self.playlist(Array(segments[head...]))
            #expect(try MediaPlaylist(parsing: window.render()).segments.map(\.keys) == segments[head...].map(\.keys))
            #expect(try MediaPlaylist(parsing: window.render()).segments.map(\.map) == segments[head...].map(\.map))
        }
    }

    @Test func theVersionIsTheLowestThatCoversTheTags() {
        #expect(Self.playlist([]).version == 1)
        #expect(Self.playlist([Self.segment(0)]).version == 3)
        #expect(Self.playlist([Self.segment(0, key: EncryptionKey(method: .aes128, uri: "k"))]).version == 3)
        let format = EncryptionKey(method: .aes128, uri: "k", keyFormat: "identity")
        #expect(Self.playlist([Self.segment(0, key: format)]).version == 5)
        #expect(Self.playlist([Self.segment(0, key: Self.key("a"))]).version == 5)
        #expect(Self.playlist([Self.segment(0), Self.segment(1, map: "init.mp4")]).version == 6)
        var range = Self.playlist([Self.segment(0)])
        range.segments[0].byteRange = 0..<10
        #expect(range.version == 4)
        range.isIFramesOnly = true
        #expect(range.version == 4)
        range.segments[0].map = MediaInitialization(uri: "init.mp4")
        #expect(range.version == 5)
    }
}
