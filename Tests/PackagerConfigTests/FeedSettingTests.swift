import MediaCore
import Testing

@testable import PackagerConfig

@Suite struct FeedSettingTests {
    @Test(arguments: [
        ("upd://239.0.0.1:5000", "the protocol 'upd' is not supported (did you mean udp?)"),
        ("rmtp://h/live/key", "the protocol 'rmtp' is not supported (did you mean rtmp?)"),
        ("udp://239.0.0.1", "'udp://239.0.0.1' has no port; write udp://HOST:PORT"),
        (
            "srt://h?mode=listener&passphrase=secretsecret",
            "'srt://h?mode=listener&passphrase=***' has no port; write srt://HOST:PORT"
        ),
        ("udp://h:99999", "'99999' is not a port; allowed are 1 to 65535"),
        ("http://h:80x/a.ts", "'80x' is not a port; allowed are 1 to 65535"),
        ("udp://h:", "'' is not a port; allowed are 1 to 65535"),
        ("rtmp://0.0.0.0:1935/live", "'rtmp://0.0.0.0:1935/***' has no stream key"),
        (
            "srt://h:1?passphrase=short",
            "the passphrase of 'srt://h:1?passphrase=***' has 5 characters; SRT has 10 to 79"
        ),
    ])
    func whatCannotBeOpenedIsSaidAtOnce(feed: String, problem: String) {
        let problems = problems(flags: ["input": ["a.ts"], "backup": [feed]])
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("--backup: \(problem)") == true)
    }

    @Test(arguments: [
        "a.ts", "-", "file:a:b.ts", "udp://239.0.0.1:5000", "udp://@239.0.0.1:5000?fifo_size=1", "rtsp://h/x", "hd.sdp",
        "srt://[::1]:9000?mode=listener&passphrase=0123456789", "rtmp://0.0.0.0/live/key", "rtmp://h/live?listen=0",
        "https://h/live.ts", "subfile,,start,0,end,188,,:a.ts", "concat:a.ts|b.ts", "rtp://127.0.0.1:5004",
    ])
    func whatMayBeOpenedIsLeftToTheOpening(feed: String) {
        #expect(problems(flags: ["input": [feed]]).isEmpty)
    }

    @Test func whereFeedsMayComeFromIsAddressesAndNetworks() throws {
        let yaml = "input: rtmp://0.0.0.0/live/key\nallowed-publishers: [10.0.0.0/8, '2001:db8::/32', 192.0.2.7]"
        let channel = try #require(try load(yaml).channels.first)
        #expect(channel.allowedPublishers.map(\.description) == ["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"])
        #expect(
            problems(yaml: "input: a.ts\nallowed-publishers: 10.0.0.1/8") == [
                "packager.yaml:2: allowed-publishers: '10.0.0.1/8' is neither an address nor a network; write it like "
                    + "192.0.2.7, 10.0.0.0/8 or 2001:db8::/32"
            ]
        )
        #expect(
            problems(yaml: "input: udplite://239.0.0.1:5000\nallowed-publishers: 10.0.0.0/8") == [
                "packager.yaml:2: allowed-publishers: 'udplite://239.0.0.1:5000' (UDP-Lite) needs the address of each sender, "
                    + "and 10.0.0.0/8 is a network"
            ]
        )
        #expect(problems(yaml: "input: udp://239.0.0.1:5000\nallowed-publishers: 10.0.0.0/8").isEmpty)
        #expect(
            problems(yaml: "input: udp://239.0.0.1:5000?conect=1") == [
                "packager.yaml:1: input: 'udp://239.0.0.1:5000?conect=***': 'conect' is no option of udp"
            ]
        )
    }

    /// A list that keeps nobody out is worse than none.
    @Test(arguments: [
        "srtp://127.0.0.1:5004", "tcp://0.0.0.0:9000?listen", "tcp://0.0.0.0:9000?listen=1",
        "http://0.0.0.0:9000/live?listen=1", "rist://0.0.0.0:9000?mode=listener", "sctp://0.0.0.0:9000?listen=1",
    ])
    func whereFeedsMayComeFromIsSomethingThatIsLookedAt(feed: String) {
        #expect(
            problems(yaml: "input: '\(feed)'\nallowed-publishers: 10.0.0.0/8") == [
                "packager.yaml:2: allowed-publishers: the packager cannot check the sender of '\(feed)'; use a firewall"
            ]
        )
    }

    /// A feed that is fetched comes from where its URL says.
    @Test(arguments: ["tcp://192.0.2.7:9000", "tcp://192.0.2.7:9000?listen=0", "https://h/live.ts", "srt://h:9000"])
    func whatIsFetchedMayBeBesideWhatIsSent(feed: String) {
        #expect(problems(yaml: "input: '\(feed)'\nallowed-publishers: 10.0.0.0/8").isEmpty)
    }
}
