import MediaCore
import Playlists
import Presentation
import Testing

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
                #EXT-X-VERSION:1
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="keys/7",IV=0x00000000000000000000000000000007
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,\
                CHANNELS="2",URI="audio-en.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=5200000,AVERAGE-BANDWIDTH=5200000,CODECS="avc1.640028,mp4a.40.2",\
                RESOLUTION=1920x1080,FRAME-RATE=25.000,AUDIO="audio",CLOSED-CAPTIONS=NONE
                video-1080p.m3u8

                """
        )
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
        var french = RenditionDescription.audio
        (french.id, french.language, french.name, french.isDefault) = ("audio-fr", "fr", nil, false)
        var channel = Channel(renditions: [.video, low, .audio, french])
        try channel.publish(
            [Channel.video, "video-360p", Channel.audio, "audio-fr"],
            byteCounts: [Channel.video: 2_000_000, "video-360p": 400_000, Channel.audio: 48_000, "audio-fr": 64_000]
        )
        let playlist = try channel.multivariant()
        #expect(playlist.variants.map(\.uri) == ["video-1080p.m3u8", "video-360p.m3u8"])
        #expect(playlist.variants.map(\.bandwidth) == [4_200_000, 930_000])
        #expect(playlist.variants.map(\.codecs) == [["avc1.640028", "mp4a.40.2"], ["avc1.640028", "mp4a.40.2"]])
        #expect(playlist.renditions.map(\.name) == ["English", "audio-fr"])
        #expect(playlist.renditions.map(\.isDefault) == [true, false])
    }
}
