import Testing

@testable import Archive

@Suite struct PublishedPathTests {
    @Test(arguments: [
        ("index.m3u8", PublishedPath.multivariantPlaylist), ("index-imsc1.m3u8", .multivariantPlaylist),
        ("video-1080p.m3u8", .mediaPlaylist),
        ("video-2160p-hevc-2-iframes.m3u8", .mediaPlaylist), ("audio-zh-Hans-ac3.m3u8", .mediaPlaylist),
        ("audio.m3u8", .mediaPlaylist), ("video-180p/448812000.m4s", .segment), ("audio-en/59843212.aac", .segment),
        ("audio/init-0a1b2c.mp4", .initialization),
    ])
    func whatThisProgramNamesIsKnown(path: String, kind: PublishedPath) {
        #expect(PublishedPath(path) == kind)
    }

    @Test(arguments: [
        "", "film.m3u8", "video.m3u8", "video-hd.m3u8", "audio-.m3u8", "index.html", "1.ts", "photos/44881200.ts",
        "video-180p/1.ts", "video-180p/44881200.jpg", "video-180p/44881200", "video-180p/init-me.mp4",
        "video-180p/init.mp4", "video-180p/deep/44881200.ts", "../44881200.ts", "audio-en/index.m3u8",
    ])
    func whatOthersNameIsNot(path: String) {
        #expect(PublishedPath(path) == nil)
    }
}
