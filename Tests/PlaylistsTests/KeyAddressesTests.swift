import MediaCore
import Testing

@testable import Playlists

/// The addresses of keys in playlists, and the variables in them.
@Suite struct KeyAddressesTests {
    private static let identity = EncryptionKey(method: .aes128, uri: "keys/1")
    private static let fairPlay = EncryptionKey(
        method: .sampleAES,
        uri: "skd://1",
        keyFormat: "com.apple.streamingkeydelivery"
    )
    private static let base = "https://keys.example.com/live"

    private static func playlist(_ addresses: KeyAddresses) -> MediaPlaylist {
        MediaPlaylist(
            targetDuration: 4,
            mediaSequence: MediaSequenceNumber(7),
            segments: [
                MediaPlaylist.Segment(
                    uri: "7.m4s",
                    duration: SegmentDuration(value: 4, timescale: 1),
                    programDateTime: MediaTime(seconds: 28),
                    keys: [identity, fairPlay],
                    map: MediaInitialization(uri: "init.mp4", keys: [identity])
                ).naming(keys: addresses)
            ],
            variables: addresses.variables(in: .media)
        )
    }

    @Test(
        arguments: [
            (KeyAddresses(), [], "keys/1", "keys/1"),
            (KeyAddresses(tokenParameter: "token"), [], "keys/1", "keys/1"),
            (KeyAddresses(base: base), [], "\(base)/keys/1", "\(base)/keys/1"),
            (
                KeyAddresses(base: base, usesVariables: true), ["NAME=\"key-url\",VALUE=\"\(base)\""],
                "{$key-url}/keys/1", "\(base)/keys/1"
            ),
            (
                KeyAddresses(usesVariables: true, tokenParameter: "t"), ["IMPORT=\"t\""], "keys/1?t={$t}",
                "keys/1?t={$t}"
            ),
            (
                KeyAddresses(base: base, usesVariables: true, tokenParameter: "t"),
                ["NAME=\"key-url\",VALUE=\"\(base)\"", "IMPORT=\"t\""], "{$key-url}/keys/1?t={$t}",
                "\(base)/keys/1?t={$t}"
            ),
        ]
    )
    func keysAreNamedWhereTheyAre(addresses: KeyAddresses, definitions: [String], written: String, read: String) throws
    {
        let text = Self.playlist(addresses).render()
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[1] == "#EXT-X-VERSION:\(definitions.isEmpty ? 6 : 8)")
        #expect(lines.filter { $0.hasPrefix("#EXT-X-DEFINE") } == definitions.map { "#EXT-X-DEFINE:\($0)" })
        #expect(
            Array(lines[2..<2 + definitions.count]) == definitions.map { "#EXT-X-DEFINE:\($0)" },
            "before their use"
        )
        #expect(lines.contains("#EXT-X-KEY:METHOD=AES-128,URI=\"\(written)\""))
        #expect(text.contains("URI=\"skd://1\""), "other systems name keys in their own way")
        #expect(addresses.uri("keys/1") == read)
        let playlist = try MediaPlaylist(parsing: text)
        #expect(playlist.segments[0].keys.map(\.uri) == [read, "skd://1"])
        #expect(playlist.segments[0].map?.keys.map(\.uri) == [read])
        #expect(playlist.variables == addresses.variables(in: .media))
        let given = try MediaPlaylist(parsing: text, values: ["t": "a.b.c", "key-url": "elsewhere"])
        #expect(given.segments[0].keys[0].uri == read.replacing("{$t}", with: "a.b.c"))
    }

    @Test func theMultivariantPlaylistTakesTheTokenFromItsQuery() throws {
        let addresses = KeyAddresses(base: Self.base, usesVariables: true, tokenParameter: "token")
        let playlist = MultivariantPlaylist(
            variants: [.init(uri: "video.m3u8", bandwidth: 1, codecs: [])],
            sessionKeys: [addresses.playlistKey(Self.identity)],
            variables: addresses.variables(in: .multivariant)
        )
        let text = playlist.render()
        #expect(
            text.hasPrefix(
                """
                #EXTM3U
                #EXT-X-VERSION:11
                #EXT-X-DEFINE:NAME="key-url",VALUE="https://keys.example.com/live"
                #EXT-X-DEFINE:QUERYPARAM="token"
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-SESSION-KEY:METHOD=AES-128,URI="{$key-url}/keys/1?token={$token}"

                """
            )
        )
        #expect(text.contains("\nvideo.m3u8\n"), "other playlists have no token: they import it")
        let read = try MultivariantPlaylist(parsing: text, values: ["token": "a.b.c"])
        #expect(read.sessionKeys[0].uri == "\(Self.base)/keys/1?token=a.b.c")
        #expect(["token": "a.b.c"].values(of: read.variables) == ["token": "a.b.c", "key-url": Self.base])
    }

    @Test(arguments: ["NAME=\"a\"", "VALUE=\"a\"", "NAME=\"a\",VALUE=\"b\",IMPORT=\"c\"", "IMPORT=a", ""])
    func aVariableComesFromOnePlace(value: String) {
        let text = "#EXTM3U\n#EXT-X-DEFINE:\(value)\n#EXT-X-TARGETDURATION:4\n"
        #expect(throws: PlaylistParsingError(line: 2, reason: .malformed(tag: "EXT-X-DEFINE"))) {
            try MediaPlaylist(parsing: text)
        }
        #expect(throws: PlaylistParsingError(line: 2, reason: .malformed(tag: "EXT-X-DEFINE"))) {
            try MultivariantPlaylist(parsing: text)
        }
    }
}
