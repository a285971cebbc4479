import MediaCore
import Testing

@testable import Playlists

@Suite struct MultivariantPlaylistTests {
    private static let playlist = MultivariantPlaylist(
        variants: [
            .init(
                uri: "video-1080p.m3u8",
                bandwidth: 5_400_000,
                averageBandwidth: 5_100_000,
                codecs: ["avc1.640028", "mp4a.40.2"],
                resolution: Resolution(width: 1920, height: 1080),
                frameRate: Ratio(50_000, 1000),
                audioGroup: "audio",
                closedCaptionsGroup: "captions",
                stableID: "video-1080p"
            ),
            .init(
                uri: "video-2160p.m3u8",
                bandwidth: 16_000_000,
                codecs: ["hvc1.2.4.L153.B0"],
                supplementalCodecs: ["dvh1.08.06/db1p"],
                videoRange: .pq
            ),
            .init(uri: "radio.m3u8", bandwidth: 130_000, codecs: ["mp4a.40.2"]),
        ],
        iFrameVariants: [
            .init(
                uri: "video-1080p-iframes.m3u8",
                bandwidth: 90_000,
                averageBandwidth: 80_000,
                codecs: ["avc1.640028"],
                supplementalCodecs: ["dvh1.08.06/db1p"],
                resolution: Resolution(width: 1920, height: 1080),
                videoRange: .hlg,
                stableID: "video-1080p-iframes"
            )
        ],
        renditions: [
            .init(
                groupID: "audio",
                name: "English",
                language: "en",
                isDefault: true,
                isAutoselect: true,
                channels: "2",
                uri: "audio-en.m3u8"
            ),
            .init(
                groupID: "audio",
                name: "English (described)",
                language: "en",
                isAutoselect: true,
                channels: "2",
                characteristics: "public.accessibility.describes-video",
                stableID: "audio-en-2",
                uri: "audio-en-2.m3u8"
            ),
            .init(groupID: "audio", name: "Muxed", uri: nil),
        ],
        closedCaptions: [
            .init(groupID: "captions", name: "English", language: "en", instreamID: "SERVICE1", isDefault: true)
        ],
        sessionKeys: [
            EncryptionKey(
                method: .sampleAES,
                uri: "keys/00112233445566778899aabbccddeeff",
                initializationVector: Bytes16(high: 1, low: 2),
                keyFormat: "identity",
                keyFormatVersions: "1"
            )
        ]
    )

    private static let text = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="keys/00112233445566778899aabbccddeeff",\
        IV=0x00000000000000010000000000000002,KEYFORMAT="identity",KEYFORMATVERSIONS="1"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,\
        CHANNELS="2",URI="audio-en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English (described)",LANGUAGE="en",DEFAULT=NO,\
        AUTOSELECT=YES,CHANNELS="2",CHARACTERISTICS="public.accessibility.describes-video",\
        STABLE-RENDITION-ID="audio-en-2",URI="audio-en-2.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Muxed",DEFAULT=NO,AUTOSELECT=NO
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=YES,\
        AUTOSELECT=YES,INSTREAM-ID="SERVICE1"
        #EXT-X-STREAM-INF:BANDWIDTH=5400000,AVERAGE-BANDWIDTH=5100000,CODECS="avc1.640028,mp4a.40.2",\
        RESOLUTION=1920x1080,STABLE-VARIANT-ID="video-1080p",FRAME-RATE=50.000,AUDIO="audio",CLOSED-CAPTIONS="captions"
        video-1080p.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=16000000,CODECS="hvc1.2.4.L153.B0",SUPPLEMENTAL-CODECS="dvh1.08.06/db1p",\
        VIDEO-RANGE=PQ,CLOSED-CAPTIONS=NONE
        video-2160p.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=130000,CODECS="mp4a.40.2",CLOSED-CAPTIONS=NONE
        radio.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,AVERAGE-BANDWIDTH=80000,CODECS="avc1.640028",\
        SUPPLEMENTAL-CODECS="dvh1.08.06/db1p",RESOLUTION=1920x1080,VIDEO-RANGE=HLG,\
        STABLE-VARIANT-ID="video-1080p-iframes",URI="video-1080p-iframes.m3u8"

        """

    @Test func theVersionIsTheLowestThatCoversTheTags() {
        var playlist = MultivariantPlaylist(variants: [Self.playlist.variants[0]])
        #expect(playlist.version == 1)
        playlist.sessionKeys = [EncryptionKey(method: .aes128, uri: "k")]
        #expect(playlist.version == 1)
        let vector = Bytes16(high: 1, low: 2)
        playlist.sessionKeys.append(EncryptionKey(method: .aes128, uri: "k", initializationVector: vector))
        #expect(playlist.version == 2)
        playlist.sessionKeys.append(EncryptionKey(method: .aes128, uri: "k", keyFormat: "identity"))
        #expect(playlist.version == 5)
        playlist.sessionKeys = [EncryptionKey(method: .sampleAES, uri: "k")]
        #expect(playlist.version == 5)
        playlist.closedCaptions = [.init(groupID: "captions", name: "Captions 1", instreamID: "CC1")]
        #expect(playlist.version == 5)
        playlist.closedCaptions.append(.init(groupID: "captions", name: "English", instreamID: "SERVICE1"))
        #expect(playlist.version == 7)
    }

    @Test func rendersTheWholeChannel() {
        #expect(Self.playlist.render() == Self.text)
    }

    @Test func readsBackWhatItRendered() throws {
        #expect(try MultivariantPlaylist(parsing: Self.text) == Self.playlist)
    }

    @Test func aDefaultRenditionMayAlwaysBeSelected() throws {
        var playlist = Self.playlist
        playlist.renditions[0].isAutoselect = false
        #expect(playlist.render() == Self.text)
    }

    @Test func otherTagsAndAttributesArePassedOver() throws {
        let playlist = try MultivariantPlaylist(
            parsing: """
                #EXTM3U\r
                # a comment\r
                #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="s",NAME="English",URI="s.m3u8"\r
                #EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO="s",FUTURE=YES\r
                \r
                v.m3u8\r
                #EXT-X-FUTURE
                """
        )
        #expect(
            playlist
                == MultivariantPlaylist(
                    variants: [.init(uri: "v.m3u8", bandwidth: 1, codecs: [])],
                    hasIndependentSegments: false
                )
        )
    }

    @Test(arguments: [
        ("", PlaylistParsingError(line: 1, reason: .notAPlaylist)),
        ("#EXTM3U\n", PlaylistParsingError(line: 1, reason: .missing(tag: "EXT-X-STREAM-INF"))),
        ("#EXTM3U\nv.m3u8", PlaylistParsingError(line: 2, reason: .unannouncedURI)),
        (
            "#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"avc1\"\nv",
            PlaylistParsingError(line: 2, reason: .malformed(tag: "EXT-X-STREAM-INF"))
        ),
        (
            "#EXTM3U\n\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"A\"",
            PlaylistParsingError(line: 3, reason: .malformed(tag: "EXT-X-MEDIA"))
        ),
        (
            "#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=NONE",
            PlaylistParsingError(line: 2, reason: .malformed(tag: "EXT-X-SESSION-KEY"))
        ),
        ("#EXTM3U\n#EXTINF:4,\n1.ts", PlaylistParsingError(line: 2, reason: .misplaced(tag: "EXTINF"))),
    ])
    func aBrokenTextIsRefusedWithItsLine(text: String, error: PlaylistParsingError) {
        #expect(throws: error) { try MultivariantPlaylist(parsing: text) }
    }

    /// RFC 8216bis § 4.4.2.2 and § 4.4.6.4.
    @Test func whatIsSaidOfTheWholeChannelIsWrittenAndRead() throws {
        var playlist = MultivariantPlaylist(variants: [.init(uri: "a.m3u8", bandwidth: 1, codecs: ["mp4a.40.2"])])
        playlist.start = .init(offset: MediaTime(milliseconds: -18_500), isPrecise: true)
        var value = SessionDatum()
        (value.id, value.value, value.language) = ("com.example.title", "News", "en")
        var document = SessionDatum()
        (document.id, document.uri) = (SessionDatum.localizedNamesID, "names.json")
        var raw = SessionDatum()
        (raw.id, raw.uri, raw.format) = ("com.example.raw", "raw.bin", .raw)
        playlist.sessionData = [value, document, raw]
        #expect(
            playlist.render().contains(
                """
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-START:TIME-OFFSET=-18.500,PRECISE=YES
                #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="News",LANGUAGE="en"
                #EXT-X-SESSION-DATA:DATA-ID="_hls.localized-rendition-names",URI="names.json"
                #EXT-X-SESSION-DATA:DATA-ID="com.example.raw",URI="raw.bin",FORMAT=RAW
                #EXT-X-STREAM-INF:
                """
            )
        )
        let read = try MultivariantPlaylist(parsing: playlist.render())
        #expect(read.start == playlist.start && read.sessionData == playlist.sessionData)
        for line in ["#EXT-X-START:PRECISE=YES", "#EXT-X-START:TIME-OFFSET=soon", "#EXT-X-SESSION-DATA:VALUE=\"x\""] {
            let text = playlist.render().replacing("#EXT-X-INDEPENDENT-SEGMENTS", with: line)
            #expect(throws: PlaylistParsingError.self, "\(line)") { try MultivariantPlaylist(parsing: text) }
        }
    }
}
