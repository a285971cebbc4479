import Testing

@testable import Ingest

@Suite struct FeedAddressTests {
    @Test(
        arguments: [
            ("feed.ts", .file), ("/a/b:c.mp4", .file), ("file:feed.ts", .file), ("1:2.ts", .file), ("", .file),
            ("-", .standardInput), ("pipe:", .standardInput), ("pipe:0", .standardInput), ("pipe:3", .file),
            ("udp://239.1.1.1:5000", .network), ("UDP://239.1.1.1:5000", .network), ("rtp://127.0.0.1:5004", .network),
            ("srt://127.0.0.1:9000", .network), ("rtmp://127.0.0.1:1935/live/x", .network), ("session.sdp", .network),
            ("https://example.com/live.ts", .network), ("tcp://127.0.0.1:9000?listen", .network),
            ("http://h/x.sdp", .network),
        ] as [(String, FeedAddress.Source)]
    )
    func filesAndStandardInputAreFiniteAndNothingElseIs(text: String, source: FeedAddress.Source) {
        #expect(FeedAddress(text).source == source)
        #expect(FeedAddress(text).isFinite == (source != .network))
    }

    @Test(arguments: [
        ("rtmp://127.0.0.1/live/x", true), ("rtmp://h/live/x?listen=0", false),
        ("rtmp://h/live/x?key=1&listen=1", true),
        ("srt://0.0.0.0:9000?mode=listener&latency=200000", true), ("srt://h:9000?mode=caller", false),
        ("srt://h:9000", false),
        ("tcp://0.0.0.0:9000?listen", true), ("tcp://h:9000?listen=0", false), ("http://h/x", false),
        ("udp://h:5000", false), ("feed.ts", false),
    ])
    func theURLSaysWhoCallsWhom(text: String, isListening: Bool) {
        #expect(FeedAddress(text).isListening == isListening)
    }

    @Test(arguments: [
        ("rtmp://h/live/x?listen=0", "rtmp://h/live/x"),
        ("rtmp://h/live/x?a=1&listen=0&b=2", "rtmp://h/live/x?a=1&b=2"),
        ("rtmp://h/live/x?a=1", "rtmp://h/live/x?a=1"), ("udp://h:5000?fifo_size=9", "udp://h:5000?fifo_size=9"),
    ])
    func onlyOurOwnFieldIsTakenOutOfTheURL(text: String, url: String) {
        #expect(FeedAddress(text).url == url)
    }

    @Test func eachKindOfFeedHasItsOptions() {
        let common = [
            "probesize": "5000000", "analyzeduration": "1500000", "fpsprobesize": "0", "correct_ts_overflow": "0",
            "max_packet_size": "8388608",
        ]
        #expect(FeedAddress("feed.ts").options == common)
        #expect(
            FeedAddress("udp://h:1").options
                == common.merging(["buffer_size": "2097152", "overrun_nonfatal": "1"]) { $1 }
        )
        #expect(
            FeedAddress("rtmp://h/a/b").options == common.merging(["listen": "1", "rw_timeout": "5000000"]) { $1 }
        )
        #expect(FeedAddress("srt://h:1").options == common)
        #expect(FeedAddress("http://h/x").options == common.merging(["rw_timeout": "5000000"]) { $1 })
    }
}
