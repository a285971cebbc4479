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
        #expect(
            FeedAddress(FeedLocation("udp://h:1")).options
                == common.merging(["buffer_size": "2097152", "overrun_nonfatal": "1", "reuse": "1"]) { $1 }
        )
        #expect(
            FeedAddress(FeedLocation("rtmp://h/a/b")).options
                == common
        )
        #expect(
            FeedAddress(FeedLocation("rtmp://h/a/b?listen=0")).options
                == common.merging(["rw_timeout": "5000000"]) { $1 }
        )
        #expect(FeedAddress(FeedLocation("srt://h:1")).options == common)
        #expect(FeedAddress(FeedLocation("http://h/x")).options == common.merging(["rw_timeout": "5000000"]) { $1 })
        // libavformat's RTSP has a timeout of its own, without which a dead server is waited for for ever.
        #expect(FeedAddress(FeedLocation("rtsp://h/x")).options["timeout"] == "5000000")
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
