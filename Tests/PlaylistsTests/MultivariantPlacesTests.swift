import MediaCore
import Testing

@testable import Playlists

/// Multivariant playlists that name the channel's files from other places.
@Suite struct MultivariantPlacesTests {
    private static let document = """
        #EXTM3U
        #EXT-X-VERSION:8
        #EXT-X-DEFINE:NAME="key-url",VALUE="https://keys.example.com"
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-SESSION-DATA:DATA-ID="_hls.localized-rendition-names",URI="names.json"
        #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="News"
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="keys/0123"
        #EXT-X-SESSION-KEY:METHOD=AES-128,URI="{$key-url}/keys/0123"
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://0123",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="text.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001F",AUDIO="aac",SUBTITLES="text",CLOSED-CAPTIONS=NONE
        video.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS="avc1.64001F",URI="video-iframes.m3u8"

        """

    /// The document as it is rendered: variables with a value are filled in.
    private static let filled = document.replacing("\"{$key-url}", with: "\"https://keys.example.com")

    @Test func aPlaylistNamesPlaylistsInADirectory() throws {
        var playlist = try MultivariantPlaylist(parsing: Self.document)
        playlist.link(to: "past/1-2/")
        let expected = ["en.m3u8", "text.m3u8", "video-iframes.m3u8"].reduce(Self.filled) { text, name in
            text.replacing("\"\(name)\"", with: "\"past/1-2/\(name)\"")
        }
        #expect(playlist.render() == expected.replacing("\nvideo.m3u8", with: "\npast/1-2/video.m3u8"))
    }

    @Test func aPlaylistFurtherDownNamesKeysAndDataAbove() throws {
        var playlist = try MultivariantPlaylist(parsing: Self.document)
        playlist.moveDown(by: "../../")
        let expected = Self.filled.replacing("\"keys/0123\"", with: "\"../../keys/0123\"")
            .replacing("\"names.json\"", with: "\"../../names.json\"")
        #expect(playlist.render() == expected)
    }

    @Test(arguments: [
        ("video.m3u8", true), ("keys/1?token={$token}", true), ("a/b:c", true), ("?x=:", true), ("https://a/b", false),
        ("skd://1", false), ("data:text/plain,a", false), ("/a/b", false), ("//a/b", false), ("{$base}/a", false),
    ])
    func relativeURIsAreKnown(uri: String, isRelative: Bool) {
        #expect(uri.isRelativeURI == isRelative)
    }
}
