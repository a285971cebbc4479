import Testing

@testable import ObjectStores

@Suite struct PushDestinationTests {
    private static func bucket(
        _ name: String,
        _ prefix: String = "live",
        endpoint: String? = nil,
        _ addressing: PushDestination.Addressing? = nil
    ) -> PushDestination {
        .bucket(name, prefix: prefix, endpoint: endpoint, region: "eu-central-1", addressing: addressing)
    }

    @Test(arguments: [
        (bucket("media"), "https://media.s3.eu-central-1.amazonaws.com/live/a/1.m4s"),
        // No certificate covers it.
        (bucket("media.tv"), "https://s3.eu-central-1.amazonaws.com/media.tv/live/a/1.m4s"),
        (bucket("media", "", endpoint: nil, .path), "https://s3.eu-central-1.amazonaws.com/media/a/1.m4s"),
        (bucket("media", endpoint: "http://H:8333"), "http://h:8333/media/live/a/1.m4s"),
        (bucket("media", endpoint: "http://h:8333/base/"), "http://h:8333/base/media/live/a/1.m4s"),
        (bucket("media", endpoint: "http://h:8333", .host), "http://media.h:8333/live/a/1.m4s"),
        (.server("https://cdn.example.com/in/live/"), "https://cdn.example.com/in/live/a/1.m4s"),
        (.server("https://cdn.example.com"), "https://cdn.example.com/a/1.m4s"),
    ])
    func objectsHaveURLs(destination: PushDestination, url: String) {
        #expect(destination.url(of: "a/1.m4s") == url)
    }

    @Test(arguments: [
        ("http://h:80", "h"), ("https://h:443/a", "h"), ("https://h:80", "h:80"), ("http://[::1]:9000", "[::1]:9000"),
    ])
    func hostsHaveTheirPortUnlessItIsUsual(url: String, host: String) {
        #expect(PushDestination.server(url).host == host)
    }

    @Test func whatIsNotPlainIsEncoded() {
        #expect(Self.bucket("b", "a b/ü", endpoint: "http://h").path(of: "x") == "/b/a%20b/%C3%BC/x")
    }

    @Test(arguments: [
        ("index.m3u8", "application/vnd.apple.mpegurl", "public, max-age=6"),
        ("video-1080p.m3u8", "application/vnd.apple.mpegurl", "public, max-age=3"),
        ("video-1080p/10000000.m4s", "video/mp4", "public, max-age=31536000, immutable"),
        ("audio-en/init-0a.mp4", "audio/mp4", "public, max-age=31536000, immutable"),
        ("video-1080p/10000000.ts", "video/mp2t", "public, max-age=31536000, immutable"),
        ("audio-en/10000000.aac", "audio/aac", "public, max-age=31536000, immutable"),
        ("names.json", "application/json", "public, max-age=6"),
    ])
    func objectsHaveTypesAndLifetimes(path: String, type: String, cacheControl: String) {
        let traits = ObjectTraits(of: path, targetDuration: 6)
        #expect(traits.contentType == type && traits.cacheControl == cacheControl)
    }
}
