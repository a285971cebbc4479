import Foundation
import MediaCore
import Presentation
import Testing

@testable import Playlists

@Suite struct PresentationPlaylistTests {
    @Test func aClearWindowAfterEightSlotsWithADiscontinuityGone() throws {
        var channel = Channel()
        try channel.publish()
        try channel.publish(startsDiscontinuity: true)
        try channel.publish(count: 2)
        try channel.publish(gaps: [Channel.audio])
        try channel.publish(startsDiscontinuity: true)
        try channel.publish(count: 2)
        #expect(
            channel.text("audio-en.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448812002
                #EXT-X-DISCONTINUITY-SEQUENCE:1
                #EXT-X-MAP:URI="audio-en/init.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:08.000Z
                #EXTINF:4.000000,
                audio-en/448812002.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:12.000Z
                #EXTINF:4.000000,
                audio-en/448812003.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:16.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                audio-en/448812004.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:20.000Z
                #EXTINF:4.000000,
                audio-en/448812005.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:24.000Z
                #EXTINF:4.000000,
                audio-en/448812006.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:28.000Z
                #EXTINF:4.000000,
                audio-en/448812007.m4s

                """
        )
    }

    @Test func whatIsSavedNamesKeysAsTheyAreAndPlaylistsWhereTheyAre() throws {
        let addresses = KeyAddresses(base: "https://keys.example.com/live", usesVariables: true, tokenParameter: "t")
        var channel = Channel(keyAddresses: addresses)
        channel.presentation.setSessionKeys([.ofPeriod(1)])
        for slot in 0..<Int64(6) { try channel.publish(keyPeriod: slot / 3, picture: 0..<10) }
        channel.presentation.setKeyHints([Channel.video: KeyHint(key: .ofPeriod(2), firstUse: channel.now)])
        let multivariant = channel.text("index.m3u8")
        #expect(multivariant.hasPrefix("#EXTM3U\n#EXT-X-VERSION:11\n#EXT-X-DEFINE:NAME"))
        #expect(multivariant.contains("URI=\"{$key-url}/keys/1?t={$t}\""))
        for name in ["video-1080p.m3u8", "video-1080p-iframes.m3u8", "audio-en.m3u8"] {
            let text = channel.text(name)
            #expect(text.hasPrefix("#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME=\"key-url\""))
            #expect(text.contains("#EXT-X-DEFINE:IMPORT=\"t\"\n"))
            #expect(text.contains("URI=\"{$key-url}/keys/1?t={$t}\"") && !text.contains("URI=\"keys/"))
        }
        #expect(channel.text("video-1080p.m3u8").contains("TYPE=KEY,URI=\"{$key-url}/keys/2?t={$t}\""))
        let saved = channel.presentation.saved
        #expect(saved.sessionKeys == [.ofPeriod(1)])
        let json = String(decoding: try JSONEncoder().encode(saved), as: UTF8.self)
        #expect(!json.contains("key-url") && !json.contains("{$"))
    }

    @Test func anEncryptedWindowThatRotatesAcrossAGapAndEnds() throws {
        var channel = Channel()
        for slot in 0..<Int64(9) {
            let gaps: Set<RenditionID> = slot == 6 ? [Channel.video, Channel.audio] : []
            try channel.publish(gaps: gaps, keyPeriod: slot / 3)
        }
        channel.presentation.end(now: channel.now)
        #expect(
            channel.text("video-1080p.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448812003
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/1",IV=0x00000000000000000000000000000001
                #EXT-X-MAP:URI="video-1080p/init-1.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:12.000Z
                #EXTINF:4.000000,
                video-1080p/448812003.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:16.000Z
                #EXTINF:4.000000,
                video-1080p/448812004.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:20.000Z
                #EXTINF:4.000000,
                video-1080p/448812005.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:24.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                video-1080p/448812006.m4s
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="keys/2",IV=0x00000000000000000000000000000002
                #EXT-X-MAP:URI="video-1080p/init-2.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:28.000Z
                #EXTINF:4.000000,
                video-1080p/448812007.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:32.000Z
                #EXTINF:4.000000,
                video-1080p/448812008.m4s
                #EXT-X-ENDLIST

                """
        )
    }

    @Test func theMultivariantPlaylistOfAChannel() throws {
        var channel = Channel()
        channel.presentation.setSessionKeys([.ofPeriod(7)])
        try channel.publish(byteCounts: [Channel.video: 2_500_000, Channel.audio: 64_000])
        #expect(
            channel.text("index.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:5
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="keys/7",IV=0x00000000000000000000000000000007
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,\
                CHANNELS="2",STABLE-RENDITION-ID="audio-en",URI="audio-en.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=5200000,AVERAGE-BANDWIDTH=5200000,CODECS="avc1.640028,mp4a.40.2",\
                RESOLUTION=1920x1080,STABLE-VARIANT-ID="video-1080p.audio",FRAME-RATE=25.000,AUDIO="audio",CLOSED-CAPTIONS=NONE
                video-1080p.m3u8

                """
        )
    }

    @Test func segmentsAreCalledIndependentWhereAllThatAreListedAre() throws {
        var channel = Channel(window: MediaTime(seconds: 12))
        try channel.publish(count: 2)
        #expect(try channel.multivariant().hasIndependentSegments)
        try channel.publish(isIndependent: false)
        #expect(try !channel.multivariant().hasIndependentSegments)
        try channel.publish(count: 2)
        #expect(try !channel.multivariant().hasIndependentSegments)
        // The window has continued.
        try channel.publish(count: 6)
        #expect(try channel.multivariant().hasIndependentSegments)
    }

    @Test func audioAloneIsAVariantOfItsOwn() throws {
        var channel = Channel(renditions: [.audio])
        try channel.publish([Channel.audio], byteCounts: [Channel.audio: 64_000])
        let playlist = try channel.multivariant()
        #expect(playlist.variants.map(\.uri) == ["audio-en.m3u8"])
        #expect(playlist.variants.map(\.bandwidth) == [130_000])
        #expect(playlist.variants.map(\.codecs) == [["mp4a.40.2"]])
        #expect(playlist.variants.map(\.audioGroup) == ["audio"])
        #expect(playlist.renditions.map(\.uri) == ["audio-en.m3u8"])
    }

    @Test func aLadderWithTwoLanguagesHasAVariantPerRungAndCodecsOnce() throws {
        var low = RenditionDescription.video
        low.id = "video-360p"
        low.resolution = Resolution(width: 640, height: 360)
        var french = RenditionDescription.audio
        (french.id, french.language, french.name, french.isDefault) = ("audio-fr", "fr", nil, false)
        var channel = Channel(renditions: [.video, low, .audio, french])
        try channel.publish(
            [Channel.video, "video-360p", Channel.audio, "audio-fr"],
            byteCounts: [Channel.video: 2_000_000, "video-360p": 400_000, Channel.audio: 48_000, "audio-fr": 64_000]
        )
        let playlist = try channel.multivariant()
        #expect(playlist.variants.map(\.uri) == ["video-360p.m3u8", "video-1080p.m3u8"])
        #expect(playlist.variants.map(\.bandwidth) == [930_000, 4_200_000])
        #expect(playlist.variants.map(\.codecs) == [["avc1.640028", "mp4a.40.2"], ["avc1.640028", "mp4a.40.2"]])
        #expect(playlist.renditions.map(\.name) == ["English", "audio-fr"])
        #expect(playlist.renditions.map(\.isDefault) == [true, false])
    }

    // MARK: Fast motion

    @Test func picturesForFastMotionAreByteRangesOfTheSegments() throws {
        var channel = Channel()
        try channel.publish(count: 4, picture: 0..<700)
        try channel.publish(gaps: [Channel.video])
        try channel.publish()
        #expect(
            channel.text("video-1080p-iframes.m3u8") == """
                #EXTM3U
                #EXT-X-VERSION:5
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:448812000
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-I-FRAMES-ONLY
                #EXT-X-MAP:URI="video-1080p/init.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:700@0
                video-1080p/448812000.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:04.000Z
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:700@0
                video-1080p/448812001.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:08.000Z
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:700@0
                video-1080p/448812002.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:12.000Z
                #EXTINF:4.000000,
                #EXT-X-BYTERANGE:700@0
                video-1080p/448812003.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:16.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                video-1080p/448812004.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:20.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                video-1080p/448812005.m4s

                """
        )
        let multivariant = try channel.multivariant()
        #expect(
            multivariant.iFrameVariants == [
                .init(
                    uri: "video-1080p-iframes.m3u8",
                    bandwidth: 1_400,
                    averageBandwidth: 1_400,
                    codecs: ["avc1.640028"],
                    resolution: Resolution(width: 1_920, height: 1_080),
                    stableID: "video-1080p-iframes"
                )
            ]
        )
    }

    @Test func whatWasOfferedForFastMotionStaysWhileThereAreGapsOnly() throws {
        var channel = Channel()
        try channel.publish(count: 3, picture: 0..<700)
        for _ in 0..<20 { try channel.publish(gaps: [Channel.video, Channel.audio]) }
        #expect(try channel.playlist("video-1080p-iframes").segments.allSatisfy(\.isGap))
        #expect(try channel.multivariant().iFrameVariants.map(\.uri) == ["video-1080p-iframes.m3u8"])
    }

    @Test func withoutSuchPicturesThereIsNoPlaylistOfThem() throws {
        var channel = Channel()
        try channel.publish()
        #expect(channel.text("video-1080p-iframes.m3u8").isEmpty)
        #expect(try channel.multivariant().iFrameVariants.isEmpty)
    }

    // MARK: Groups, ranges, captions

    @Test func eachCodecOfAudioMakesAVariantOfEachVideo() throws {
        var surround = RenditionDescription.audio
        (surround.id, surround.codecs, surround.audioGroup) = ("audio-en-eac3", ["ec-3"], "audio-eac3")
        surround.channels = "6"
        var channel = Channel(renditions: [.video, .audio, surround])
        try channel.publish(
            [Channel.video, Channel.audio, "audio-en-eac3"],
            byteCounts: [Channel.video: 1_000_000, Channel.audio: 48_000, "audio-en-eac3": 96_000]
        )
        let playlist = try channel.multivariant()
        #expect(playlist.variants.map(\.uri) == ["video-1080p.m3u8", "video-1080p.m3u8"])
        #expect(playlist.variants.map(\.audioGroup) == ["audio", "audio-eac3"])
        #expect(playlist.variants.map(\.codecs) == [["avc1.640028", "mp4a.40.2"], ["avc1.640028", "ec-3"]])
        #expect(playlist.variants.map(\.bandwidth) == [2_100_000, 2_200_000])
        #expect(playlist.variants.map(\.stableID) == ["video-1080p.audio", "video-1080p.audio-eac3"])
    }

    @Test func aGroupThatLacksALanguageBorrowsIt() throws {
        var german = RenditionDescription.audio
        (german.id, german.language, german.name, german.isDefault) = ("audio-de", "de", "Deutsch", false)
        var surround = RenditionDescription.audio
        (surround.id, surround.codecs, surround.audioGroup) = ("audio-en-eac3", ["ec-3"], "audio-eac3")
        var channel = Channel(renditions: [.video, .audio, german, surround])
        try channel.publish([Channel.video, Channel.audio, "audio-de", "audio-en-eac3"])
        let playlist = try channel.multivariant()
        #expect(
            playlist.renditions.map { "\($0.groupID) \($0.name) \($0.uri ?? "")" } == [
                "audio English audio-en.m3u8", "audio Deutsch audio-de.m3u8",
                "audio-eac3 English audio-en-eac3.m3u8", "audio-eac3 Deutsch audio-de.m3u8",
            ]
        )
        #expect(playlist.variants.map(\.codecs).last == ["avc1.640028", "ec-3", "mp4a.40.2"])
    }

    @Test func theRangeIsSaidOfAllOrOfNone() throws {
        var wide = RenditionDescription.video
        (wide.id, wide.codecs, wide.videoRange) = ("video-1080p-hevc", ["hvc1.2.4.L120.B0"], .pq)
        var channel = Channel(renditions: [.video, wide])
        try channel.publish([Channel.video, "video-1080p-hevc"])
        #expect(try channel.multivariant().variants.map(\.videoRange) == [.standard, .pq])
        var plain = Channel(renditions: [.video])
        try plain.publish([Channel.video])
        #expect(try plain.multivariant().variants.map(\.videoRange) == [nil])
    }

    @Test func captionsOfOneVideoAreEveryVariants() throws {
        var captioned = RenditionDescription.video
        captioned.captions = [
            .init(groupID: "captions", name: "English", language: "en", instreamID: "CC1", isDefault: true)
        ]
        var low = RenditionDescription.video
        (low.id, low.resolution) = ("video-360p", Resolution(width: 640, height: 360))
        var channel = Channel(renditions: [captioned, low])
        try channel.publish([Channel.video, "video-360p"])
        let playlist = try channel.multivariant()
        #expect(playlist.closedCaptions.map(\.instreamID) == ["CC1"])
        #expect(playlist.variants.map(\.closedCaptionsGroup) == ["captions", "captions"])
        #expect(
            channel.text("index.m3u8").contains(
                #"""
                #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="captions",NAME="English",LANGUAGE="en",DEFAULT=YES,\#
                AUTOSELECT=YES,INSTREAM-ID="CC1"
                """#
            )
        )
    }
}
