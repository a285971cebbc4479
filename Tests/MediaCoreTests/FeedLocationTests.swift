import MediaCore
import Testing

@Suite struct FeedLocationTests {
    @Test(
        arguments: [
            ("feed.ts", .file), ("a.ts", .file), ("/a/b.ts", .file), ("/a/b:c.mp4", .file), ("file:feed.ts", .file),
            ("file:///a", .file), ("FILE:///a", .file), ("1:2.ts", .file), ("", .file), ("a b://c", .file),
            ("://x", .file), ("1://x", .file), ("C:\\a", .file), ("x.sdp/y.ts", .file),
            ("concat:a.ts|b.ts", .file), ("concatf:list.txt", .file), ("data:video/mp2t;base64,Rw==", .file),
            ("subfile,,start,0,end,188,,:a.ts", .file), ("crypto:a.ts", .file), ("cache:a.ts", .file),
            ("-", .pipe), ("pipe:", .pipe), ("pipe:0", .pipe), ("pipe:3", .pipe), ("async:pipe:0", .pipe),
            ("udp://239.1.1.1:5000", .network), ("UDP://239.1.1.1:5000", .network), ("udp://h:1", .network),
            ("rtp://127.0.0.1:5004", .network), ("srt://127.0.0.1:9000", .network), ("srt+x.1-y://h", .network),
            ("rtmp://127.0.0.1:1935/live/x", .network), ("https://example.com/live.ts", .network),
            ("tcp://127.0.0.1:9000?listen", .network), ("http://h/x.sdp", .network), ("cache:http://h/x", .network),
            ("session.sdp", .network), ("hd.sdp", .network), ("file:hd.sdp", .network),
        ] as [(String, FeedLocation.Kind)]
    )
    func filesAndPipesAreFiniteAndNothingElseIs(location: String, kind: FeedLocation.Kind) {
        #expect(FeedLocation(location).kind == kind)
        #expect(FeedLocation(location).isFinite == (kind != .network))
    }

    @Test(arguments: [("-", true), ("pipe:", true), ("pipe:0", true), ("pipe:3", false), ("a.ts", false)])
    func oneDescriptorIsStandardInput(location: String, isStandardInput: Bool) {
        #expect(FeedLocation(location).isStandardInput == isStandardInput)
    }

    @Test(arguments: [
        ("a.ts", "a.ts"), ("hd.sdp", "hd.sdp"), ("file:/a/b.ts", "/a/b.ts"), ("file:///a", "///a"), ("C:\\a", "C:\\a"),
        ("-", nil), ("pipe:3", nil), ("udp://h:1", nil), ("concat:a|b", nil), ("subfile,,start,0,end,1,,:a", nil),
        ("data:,x", nil),
    ])
    func oneFileHasToBeThere(location: String, path: String?) {
        #expect(FeedLocation(location).path == path)
    }

    @Test(arguments: [
        (
            "srt://h:9000?mode=listener&passphrase=secret&streamid=#!::r=s,u=me",
            "srt://h:9000?mode=listener&passphrase=***&streamid=***"
        ),
        ("rtsp://user:p@ss@h:554/x", "rtsp://***@h:554/x"), ("http://user@h/x?token=t", "http://***@h/x?token=***"),
        ("http://user:p/ss@h/x", "http://***@h/x"), ("http://user:p?ss@h/x", "http://***@h/x"),
        ("http://h/a?auth=A&hdnts=B&sig=C&listen=1", "http://h/a?auth=***&hdnts=***&sig=***&listen=1"),
        ("http://h/a?SECRET", "http://h/a?***"), ("tcp://h:1?listen", "tcp://h:1?listen"),
        ("http://h/a?auth=&x", "http://h/a?auth=&***"), ("http://h/a#b", "http://h/a#***"),
        ("srt://h:1?mode=caller#!::r=secret", "srt://h:1?mode=***"),
        ("cache:https://u:p@h/x", "cache:https://***@h/x"), ("http://h/a@b", "http://h/a@b"),
        ("http://h:80/a@b", "http://h:80/a@b"), ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
        ("concat:http://u:p@h/a|http://u:p@h/b", "concat:http://***@h/***"),
        ("concat:http://h/a|http://u:p@h/b", "concat:http://h/***"),
        ("udp://@239.0.0.1:5000", "udp://@239.0.0.1:5000"), ("data:video/mp2t;base64,Rw==", "data:***"),
        ("rtmp://0.0.0.0:1935/live/key", "rtmp://0.0.0.0:1935/live/***"), ("rtmp://h", "rtmp://h"),
        ("rtmp://h/live/key/", "rtmp://h/live/***"), ("rtmp://h/key", "rtmp://h/***"),
        ("rtmps://u:p@h/live/key?token=t", "rtmps://***@h/live/***?token=***"), ("RTMP://h/a/b/key", "RTMP://h/a/***"),
        ("what?.ts", "what?.ts"), ("a@b.ts", "a@b.ts"), ("-", "-"), ("", ""),
    ])
    func messagesNameItWithoutItsSecrets(location: String, text: String) {
        #expect("\(FeedLocation(location))" == text)
    }

    @Test func argumentsOfAProgramAreHidden() {
        #expect(SecretMask.masked("command:/bin/ads --token abc") == "command:/bin/ads ***")
        #expect(SecretMask.masked("command:/bin/ads ") == "command:/bin/ads ")
    }

    @Test func whatIsHiddenIsKnown() {
        let feed = FeedLocation("rtmp://user:password@h/live/stream-key?auth=AUTHSECRET&listen=12345&x=1234")
        #expect(feed.secrets == ["user:password", "stream-key", "AUTHSECRET", "password"])
        #expect(FeedLocation("what?auth=AUTHSECRET").secrets.isEmpty)
    }

    @Test(
        arguments: [
            ("udp://239.0.0.1:5000?x=1", "239.0.0.1", "5000"), ("udp://@239.0.0.1:5000", "239.0.0.1", "5000"),
            ("srt://:9000?mode=listener", "", "9000"), ("rtmp://user:1@[::1]:1935/live", "::1", "1935"),
            ("udp://h", "h", nil),
            ("udp://h:99999", "h", "99999"), ("udp://h:", "h", ""), ("udp://[::]", "::", nil),
        ] as [(String, String, String?)]
    )
    func aURLHasHostAndPort(location: String, host: String, port: String?) throws {
        let authority = try #require(FeedLocation(location).authority)
        #expect(authority.host == host)
        #expect(authority.port == port)
    }

    @Test func aFileHasNoAuthority() { #expect(FeedLocation("feed.ts").authority == nil) }

    @Test func theQueryHasFields() {
        let query = FeedLocation("tcp://h:1?listen&timeout=5&a=b=c&listen=0").query
        #expect(query == ["listen": "", "timeout": "5", "a": "b=c"])
        #expect(FeedLocation("what?a=b").query.isEmpty)
    }
}
