import NIOHTTP1
import Testing

@testable import Origin

@Suite struct RequestKindTests {
    @Test(
        arguments: [
            ("/live/index.m3u8", .multivariantPlaylist), ("/live/index-imsc1.m3u8", .multivariantPlaylist),
            ("/live/index.m3u8?token=a.ts", .multivariantPlaylist),
            ("/live/video-1080p.m3u8?_HLS_msn=7", .mediaPlaylist), ("/live/my-index.m3u8", .mediaPlaylist),
            ("/live/video-1080p/448812000.m4s", .segment), ("/live/audio-en/1.aac", .segment),
            ("/live/video-1080p/1.ts", .segment), ("/live/subtitles-en/1.vtt", .segment),
            ("/live/video-1080p/init-0011.mp4", .initialization),
            ("/live/keys/97e3274938719f180082c6094016679d", .key), ("/live/keys.json", .key), ("/live/clearkey", .key),
            ("/live/keys/97e3", .other), ("/live/", .other), ("/", .other), ("", .other), ("?.m3u8", .other),
            ("/ts", .other),
        ] as [(String, RequestKind)]
    ) func itIsToldByTheTarget(target: String, kind: RequestKind) {
        #expect(RequestKind(target: target) == kind)
    }

    @Test func answersAreCountedByKindAndStatus() {
        let counters = OriginCounters(now: { 0 })
        counters.answered(.segment, .ok, bytes: 100)
        counters.answered(.segment, .ok, bytes: 50)
        counters.answered(.segment, .notFound, bytes: 7)
        counters.answered(.other, .imATeapot, bytes: 0)
        #expect(
            counters.answered == [
                .init(kind: .segment, status: 200, requests: 2, bytes: 150),
                .init(kind: .segment, status: 404, requests: 1, bytes: 7),
                .init(kind: .other, status: nil, requests: 1, bytes: 0),
            ]
        )
        #expect(counters.totals.requests == 4)
        #expect(counters.totals.bytes == 157)
    }
}
