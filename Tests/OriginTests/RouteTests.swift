import MediaCore
import Origin
import TestSupport
import Testing

@Suite struct RouteTests {
    @Test(arguments: [
        ("/", Route.playerPage(channel: nil)),
        ("/live/past/1-2/index.m3u8?x", .past(channel: "live", range: "1-2", path: "index.m3u8")),
        ("/live/past/1-/a.m3u8", .past(channel: "live", range: "1-", path: "a.m3u8")),
        ("/live/past/a.m3u8", .media(channel: "live", path: "past/a.m3u8")),
        ("/?channel=live", .playerPage(channel: nil)),
        ("/live", .channel("live")),
        ("/live/", .playerPage(channel: "live")),
        ("/page.js", .playerFile("page.js")),
        ("/live/page.js", .playerFile("page.js")),
        ("/live/clear-keys.js?v=1", .playerFile("clear-keys.js")),
        ("/channels.json", .channelList),
        ("/live/channels.json", .media(channel: "live", path: "channels.json")),
        ("/live/index.m3u8", .media(channel: "live", path: "index.m3u8")),
        ("/live/index.m3u8?_HLS_msn=1&x=%zz", .media(channel: "live", path: "index.m3u8")),
        ("/live/video-1080p.m3u8", .media(channel: "live", path: "video-1080p.m3u8")),
        ("/live/video-1080p/450000001.m4s", .media(channel: "live", path: "video-1080p/450000001.m4s")),
        ("/%6Cive/a/%31.m4s", .media(channel: "live", path: "a/1.m4s")),
        ("/live/a%252F..", .media(channel: "live", path: "a%2F..")),
        ("/live/keys.json", .keySchedule(channel: "live")),
        ("/live/ads/7-ad.json?_HLS_interstitial_id=7-ad", .assetList(channel: "live", id: "7-ad")),
        ("/live/names.json", .localizedNames(channel: "live")),
        ("/live/on-air.json", .onAir(channel: "live")),
        ("/live/ads/spot.m3u8", .adFile(channel: "live", path: "spot.m3u8")),
        ("/live/ads/spot/a/b/c/d.ts", .adFile(channel: "live", path: "spot/a/b/c/d.ts")),
        (
            "/live/recordings/20261127T160000Z-9c1f27d04be85a3672e0d8b15f4ca693/index.m3u8",
            .recording(channel: "live", path: "20261127T160000Z-9c1f27d04be85a3672e0d8b15f4ca693/index.m3u8")
        ),
        ("/live/recordings/a/video/7.m4s", .recording(channel: "live", path: "a/video/7.m4s")),
        ("/live/recordings/7.m4s", .media(channel: "live", path: "recordings/7.m4s")),
        ("/live/recorded.json?first=1&count=2", .recordedSlots(channel: "live")),
        ("/live/recorded/video/7.m4s", .recordedMedia(channel: "live", path: "video/7.m4s")),
        ("/live/recorded/7.m4s", .media(channel: "live", path: "recorded/7.m4s")),
        ("/live/clearkey", .clearKeyLicense(channel: "live")),
        ("/live/keys/00000000000000010000000000000002", .key(channel: "live", keyID: Fixture.keyID)),
        ("/live/keys/000000000000000A0000000000000000", .key(channel: "live", keyID: KeyID(Bytes16(high: 10, low: 0)))),
    ])
    func targetNamesARoute(target: String, route: Route) throws {
        #expect(try Route(target: target) == route)
    }

    @Test(arguments: [
        "", "live", "*", "live:80", "?", "http://host/live/", "/..", "/../etc/passwd", "/live/../x", "/./live",
        "/live/..", "/live/a/..", "/live/a/.", "/%2e%2e/etc/passwd", "/live/%2E%2E/x", "/live/%2e/x",
        "/live%2Findex.m3u8",
        "/live%2f", "/live/%5c..", "/live\\index.m3u8", "/live/%00", "/live/%0d%0aSet-Cookie:x", "/live/%7f", "/%",
        "/%4", "/%zz", "/%-1", "/%+1", "/live/%c3%28", "/live/%ff", "/livé/", "/li ve", "/live\u{0}", "/live\t",
        "/#fragment", "/live/window.json#x", "/live/index.m3u8#", "/live/index.m3u8?a=1#b",
    ])
    func badTargetIsMalformed(target: String) {
        #expect(throws: RouteError.malformed) { try Route(target: target) }
    }

    @Test(arguments: [
        "//", "//live", "/live//x", "/live/a/", "/live/a/b/c", "/live/a/b/", "/a/b/c/d/e/f", "/live/keys/",
        "/live/ads/", "/live/ads/spot/", "/live/ads//a.ts", "/live/ads/a/b/c/d/e/f",
        "/live/keys/1", "/live/recordings/a/", "/live/recordings/a//b", "/live/recorded//b", "/live/recorded/a/b/c",
        "/live/recordings/a/b/c/d",
        "/live/keys/0000000000000001000000000000000g", "/live/keys/000000000000000100000000000000021",
        "/live/keys/0x0000000000000100000000000000000",
    ])
    func targetOfAnotherShapeIsUnknown(target: String) {
        #expect(throws: RouteError.unknown) { try Route(target: target) }
    }

    @Test func noTargetTrapsAndNoneEscapesItsChannel() {
        var generator = SeededGenerator(seed: 1)
        let pieces = [
            "/", "..", ".", "%2e", "%2F", "%", "\\", "live", "keys", "ads", "?", "#", "\u{0}", "é", "a.m4s", "//",
            "%00", "~",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...8, using: &generator)
            let target = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            guard case .media(let channel, let path)? = try? Route(target: target) else { continue }
            #expect(!channel.isEmpty && !channel.contains("/"))
            #expect(!path.split(separator: "/").contains { $0 == ".." || $0 == "." || $0.isEmpty })
        }
    }
}
