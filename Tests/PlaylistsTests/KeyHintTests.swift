import MediaCore
import Testing

@testable import Playlists

@Suite struct KeyHintTests {
    private static func playlist(isEnded: Bool) -> MediaPlaylist {
        MediaPlaylist(
            targetDuration: 4,
            mediaSequence: MediaSequenceNumber(7),
            segments: [
                MediaPlaylist.Segment(
                    uri: "7.m4s",
                    duration: SegmentDuration(value: 4, timescale: 1),
                    programDateTime: MediaTime(seconds: 28)
                )
            ],
            keyHint: KeyHint(
                key: EncryptionKey(
                    method: .sampleAES,
                    uri: "skd://next",
                    keyFormat: "com.apple.streamingkeydelivery",
                    keyFormatVersions: "1"
                ),
                firstUse: MediaTime(seconds: 40)
            ),
            isEnded: isEnded
        )
    }

    @Test func theNextKeyIsAnnouncedBelowTheSegments() throws {
        let playlist = Self.playlist(isEnded: false)
        let text = playlist.render()
        #expect(
            text.hasSuffix(
                """
                7.m4s
                #EXT-X-PRELOAD-HINT:TYPE=KEY,URI="skd://next",METHOD=SAMPLE-AES,KEYFORMAT="com.apple.streamingkeydelivery",\
                KEYFORMATVERSIONS="1",DATE-OF-FIRST-USE="1970-01-01T00:00:40.000Z"

                """
            )
        )
        #expect(try MediaPlaylist(parsing: text).keyHint == playlist.keyHint)
        #expect(playlist.version == 3, "a hint asks for no version of its own")
    }

    @Test func nothingIsAnnouncedWhereNothingFollows() {
        #expect(!Self.playlist(isEnded: true).render().contains("PRELOAD-HINT"))
    }

    @Test func ofHintsForKeysTheFirstCountsAndOthersAreNone() throws {
        let text = Self.playlist(isEnded: false).render()
        let part = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"8.1.m4s\"\n"
        let more = text + part + text.split(separator: "\n").suffix(1).joined().replacing("next", with: "other") + "\n"
        #expect(try MediaPlaylist(parsing: more).keyHint?.key.uri == "skd://next")
        #expect(try MediaPlaylist(parsing: Self.playlist(isEnded: true).render() + part).keyHint == nil)
    }
}
