import MediaCore
import Testing

@testable import Ingest

@Suite struct FeedAddressTests {
    @Test(arguments: [
        ("rtmp://127.0.0.1/live/x", true), ("rtmp://h/live/x?listen=0", false),
        ("rtmp://h/live/x?key=1&listen=1", true),
        ("srt://0.0.0.0:9000?mode=listener&latency=200000", true), ("srt://h:9000?mode=caller", false),
        ("srt://h:9000", false),
        ("tcp://0.0.0.0:9000?listen", true), ("tcp://h:9000?listen=0", false), ("http://h/x", false),
        ("udp://h:5000", false), ("feed.ts", false),
    ])
    func theURLSaysWhoCallsWhom(text: String, isListening: Bool) {
        #expect(FeedAddress(FeedLocation(text)).isListening == isListening)
    }

    @Test(arguments: [
        ("rtmp://h/live/x?listen=0", "rtmp://h/live/x"), ("rtmps://h/live/x?listen=0", "rtmps://h/live/x"),
        ("rtmp://h/live/x?a=1&listen=0&b=2", "rtmp://h/live/x?a=1&b=2"),
        ("rtmp://h/live/x?a=1", "rtmp://h/live/x?a=1"), ("udp://h:5000?fifo_size=9", "udp://h:5000?fifo_size=9"),
    ])
    func onlyOurOwnFieldIsTakenOutOfTheURL(text: String, url: String) {
        #expect(FeedAddress(FeedLocation(text)).url == url)
    }

    @Test func eachKindOfFeedHasItsOptions() {
        let common = [
            "probesize": "5000000", "analyzeduration": "1500000", "fpsprobesize": "0", "correct_ts_overflow": "0",
            "fix_teletext_pts": "0", "max_packet_size": "8388608",
        ]
        #expect(FeedAddress(FeedLocation("feed.ts")).options == common)
        func options(_ url: String, _ formats: String, _ own: [String: String] = [:]) {
            let all = common.merging(own.merging(["format_whitelist": formats]) { $1 }) { $1 }
            #expect(FeedAddress(FeedLocation(url)).options == all)
        }
        options("udp://h:1", "mpegts,rtp", ["buffer_size": "2097152", "overrun_nonfatal": "1", "reuse": "1"])
        options("rtmp://h/a/b", "flv,live_flv")
        options("rtmp://h/a/b?listen=0", "flv,live_flv", ["rw_timeout": "5000000"])
        options("srt://h:1", "mpegts")
        options("tcp://h:1?listen", "mpegts", ["rw_timeout": "5000000"])
        // libavformat's RTSP has a timeout of its own, without which a dead server is waited for for ever.
        #expect(FeedAddress(FeedLocation("rtsp://h/x")).options["timeout"] == "5000000")
        #expect(FeedAddress(FeedLocation("http://h/x")).options["rw_timeout"] == "5000000")
    }

    /// Playlists come only from those whom packager asks, and name addresses alone.
    @Test(arguments: [
        ("http://h/x", true), ("https://h/x", true), ("tcp://h:1", false), ("tcp://h:1?listen", false),
        ("srt://h:1", false), ("udp://h:1", false), ("-", false),
    ])
    func playlistsComeByHTTPAlone(url: String, takesPlaylists: Bool) throws {
        let options = FeedAddress(FeedLocation(url)).options
        let formats = try #require(options["format_whitelist"]).split(separator: ",")
        #expect(formats.contains("hls") == takesPlaylists && formats.contains("webvtt") == takesPlaylists)
        #expect(!formats.contains("concat"))
        #expect(formats.contains("mpegts"))
        let protocols = options["protocol_whitelist"]?.split(separator: ",")
        #expect((protocols != nil) == takesPlaylists && protocols?.contains("file") != true)
    }

    @Test(arguments: [
        ("rtmp://0.0.0.0:1935/live/key", "0.0.0.0", 1935, "live/key"), ("rtmp://h/a//b/?k=1", "h", 1935, "a/b/?k=1"),
        ("rtmp://[::]:19350/live/key?listen=1", "::", 19350, "live/key"),
    ])
    func aPublisherIsWaitedForByApplicationAndKey(url: String, host: String, port: Int, path: String) throws {
        let address = try #require(FeedAddress(FeedLocation(url)).publishing)
        #expect(address.socket == .init(host: host, port: port))
        #expect(address.path == path)
    }

    @Test func callersOfSRTAreLookedAtWhereThereIsSomethingToKnow() throws {
        let gate = try #require(FeedAddress(FeedLocation("srt://:9000?mode=listener&streamid=a%2Bb&latency=9")).gate)
        #expect(gate.socket == .init(host: "0.0.0.0", port: 9000))
        #expect(gate.streamIDs == ["a+b", "a%2Bb"])
        #expect(gate.listenerURL(port: 7) == "srt://127.0.0.1:7?mode=listener&streamid=a%2Bb&latency=9")
        #expect(FeedAddress(FeedLocation("srt://h:1?mode=listener")).gate == nil)
        #expect(FeedAddress(FeedLocation("srt://h:1?streamid=a&passphrase=0123456789")).gate == nil)
    }

    @Test func datagramsAreTakenFromThoseThatMaySendThem() {
        let allowed = ["127.0.0.2", "192.0.2.7"].compactMap(AddressRange.init)
        #expect(
            FeedAddress(FeedLocation("udplite://h:1"), allowed: allowed).options["sources"] == "127.0.0.2,192.0.2.7"
        )
        #expect(FeedAddress(FeedLocation("udp://h:1"), allowed: allowed).allowed == allowed)
        #expect(FeedAddress(FeedLocation("http://h/x"), allowed: allowed).options["sources"] == nil)
    }

    @Test(arguments: ["rtmp://h/live/x?listen=0", "rtmps://h/live/x", "srt://0.0.0.0:1?mode=listener", "udp://h:1"])
    func nobodyElseIsWaitedForHere(url: String) {
        #expect(FeedAddress(FeedLocation(url)).publishing == nil)
    }

    @Test(arguments: ["session.sdp", "file:/a/session.sdp"])
    func theFileOfASessionMayOpenSockets(text: String) {
        let options = FeedAddress(FeedLocation(text)).options
        #expect(options["protocol_whitelist"] == "file,udp,rtp,srtp,crypto")
        #expect(options["overrun_nonfatal"] == "1")
    }
}
