import MediaCore
import Testing

/// Decisions by the scheme of a feed's URL.
@Suite struct FeedProtocolTests {
    private static func names(_ condition: (FeedProtocol) -> Bool) -> Set<String> {
        Set(FeedProtocol.names.filter { FeedProtocol.named($0).map(condition) ?? false })
    }

    @Test func eachSchemeIsThereOnce() {
        #expect(FeedProtocol.names.count == 44 && Set(FeedProtocol.names).count == 44)
        #expect(FeedProtocol.names == FeedProtocol.names.sorted())
        #expect(FeedProtocol.named("UDP") == nil && FeedProtocol.named("") == nil)
    }

    @Test func mediaIsWhereTheSchemeSays() {
        let kinds = Dictionary(grouping: FeedProtocol.names) { FeedLocation("\($0)://host/path").kind }
        #expect(kinds[.pipe] == ["pipe"])
        #expect(kinds[.file] == ["async", "cache", "concat", "concatf", "crypto", "data", "file", "subfile"])
        #expect(Self.names { $0.isSession } == ["srtp", "rtsp", "rtsps", "rtspu", "sap"])
        #expect(FeedLocation("crypto:udp://host:1").kind == .network)
        #expect(FeedLocation("file:session.sdp").kind == .network && !FeedLocation("session.sdp").isByteStream)
        #expect(FeedLocation("-").kind == .pipe && FeedLocation("feed.ts").kind == .file)
        #expect(FeedLocation("unheard-of://host").kind == .network)
    }

    @Test func whoNeedsAPortIsAsked() {
        #expect(
            Self.names { $0.needsPort } == ["udp", "udplite", "rtp", "srtp", "srt", "tcp", "sctp", "rist"]
        )
        #expect(Self.names { $0.transport == .datagrams } == ["udp", "udplite", "rtp", "srtp"])
    }

    /// A channel of the API reaches no file by one of these, and no protocol but the one that it names.
    @Test func theAPIHasWhatComesByNetworkAlone() {
        #expect(
            Self.names { $0.isOpenToAPI }
                == [
                    "udp", "udplite", "rtp", "srtp", "srt", "rist", "tcp", "sctp", "http", "https", "rtsp", "rtsps",
                    "rtspu", "rtmp", "rtmps", "rtmpt", "rtmpts",
                ]
        )
    }

    @Test func encodersConnectWhereTheyAreWaitedFor() {
        func called(_ query: String) -> Set<String> {
            Set(FeedProtocol.names.filter { FeedLocation("\($0)://host:1/live/key\(query)").isCalled })
        }
        let never: Set = [
            "udp", "udplite", "rtp", "srtp", "rtmps", "rtmpt", "rtmpts", "file", "concat", "concatf", "data", "subfile",
            "pipe", "async", "cache", "crypto",
        ]
        let all = Set(FeedProtocol.names)
        #expect(called("") == ["rtmp"])
        #expect(called("?listen=0") == [])
        #expect(called("?listen") == all.subtracting(never).subtracting(["srt"]))
        #expect(called("?mode=listener") == all.subtracting(never))
        #expect(called("?mode=caller") == ["rtmp"])
    }

    /// The addresses or networks by which `allowed-publishers` keeps strangers out.
    @Test func sendersAreToldApartWhereTheyCanBe() {
        #expect(Self.names { $0.senders == .networks } == ["udp", "rtp", "srt", "rtmp"])
        #expect(Self.names { $0.senders == .addresses } == ["udplite"])
        #expect(Self.names { $0.senders == .unknown } == ["srtp"])
    }

    @Test func twoProcessesShareWhatHasNoConnectionOfItsOwn() {
        #expect(Self.names { $0.sharing == .always } == ["udp", "rtp"])
        #expect(Self.names { $0.sharing == .unlessCalled } == ["srt", "tcp"])
    }
}
