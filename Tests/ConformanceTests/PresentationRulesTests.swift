import MediaCore
import Playlists
import Testing

@testable import Conformance

@Suite struct PresentationRulesTests {
    private static let end: Int64 = 450_000_000

    private static func version(_ name: String, reporting others: [String] = []) -> PresentationRules.Version {
        var playlist = RollingPlaylist(track: name).lowLatency(end: end, parts: 1)
        playlist.reports = others.map {
            MediaPlaylist.RenditionReport(uri: $0, lastSequence: MediaSequenceNumber(end), lastPart: 0)
        }
        let url = "https://a/live/\(name).m3u8"
        return PresentationRules.Version(
            name: "\(name).m3u8",
            urls: [url],
            base: url,
            playlist: playlist,
            isMultiplexed: true
        )
    }

    private static func findings(_ versions: [PresentationRules.Version]) -> [String] {
        PresentationRules.findings(in: versions).map(\.description)
    }

    private static let good = [
        version("video", reporting: ["audio.m3u8", "../live/text.m3u8?token=1"]),
        version("audio", reporting: ["video.m3u8", "text.m3u8"]),
        version("text", reporting: ["video.m3u8", "audio.m3u8"]),
    ]

    @Test func playlistsThatReportOnEachOtherAreFine() {
        #expect(Self.findings(Self.good) == [])
        #expect(PresentationRules.obstacles(in: Self.good) == [])
    }

    @Test func eachPlaylistReportsOnEachOther() {
        var versions = Self.good
        versions[1] = Self.version("audio", reporting: ["video.m3u8"])
        #expect(
            Self.findings(versions) == [
                "audio.m3u8: reportMissing: no EXT-X-RENDITION-REPORT of text.m3u8 (RFC 8216bis § B.1)"
            ]
        )
        #expect(PresentationRules.obstacles(in: versions) == ["audio.m3u8 without all rendition reports"])
    }

    /// Where it was redirected to, and where it was asked for.
    @Test func aReportMayNameEitherURL() {
        var versions = Self.good
        versions[0].urls.insert("https://b/video.m3u8")
        versions[2].base = "https://b/text.m3u8"
        versions[2].playlist.reports[1].uri = "live/audio.m3u8"
        versions[1].urls.insert("https://b/live/audio.m3u8")
        #expect(Self.findings(versions) == [])
    }

    @Test func playlistsOfIFramesAndEndedOnesNeedNoReports() {
        var versions = Self.good + [Self.version("iframes"), Self.version("ended")]
        versions[3].playlist.isIFramesOnly = true
        versions[4].playlist.isEnded = true
        #expect(Self.findings(versions) == [])
    }

    @Test func withoutPartsNobodyReports() {
        var versions = Self.good
        for index in versions.indices {
            versions[index].playlist = RollingPlaylist().playlist(end: Self.end)
        }
        #expect(Self.findings(versions) == [])
        #expect(PresentationRules.obstacles(in: versions) == nil)
    }

    @Test func allSayTheSameOfTheServer() {
        var versions = Self.good
        versions[1].playlist.serverControl?.partHoldBack = MediaTime(seconds: 4)
        versions[2].playlist.serverControl = nil
        let said = "CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.000000,HOLD-BACK=18.000000,PART-HOLD-BACK"
        let clause = "(RFC 8216bis § 6.2.4)"
        #expect(
            Self.findings(versions) == [
                "audio.m3u8: serverControlDiffers: it says \(said)=4.000000, and video.m3u8 says \(said)=3.000000 \(clause)",
                "text.m3u8: serverControlDiffers: it says nothing, and video.m3u8 says \(said)=3.000000 \(clause)",
            ]
        )
    }

    typealias Change = @Sendable (inout PresentationRules.Version) -> Void

    private static let obstacles: [(change: Change, obstacles: [String])] = [
        ({ $0.isMultiplexed = false }, ["audio.m3u8 without HTTP/2"]),
        ({ $0.isMultiplexed = nil }, []),
        ({ $0.playlist.serverControl?.canBlockReload = false }, ["audio.m3u8 without CAN-BLOCK-RELOAD=YES"]),
        ({ $0.playlist.serverControl?.partHoldBack = nil }, ["audio.m3u8 without PART-HOLD-BACK"]),
        ({ $0.playlist.hints = [] }, ["audio.m3u8 without a hint at the next part"]),
    ]

    @Test(arguments: obstacles.indices)
    func whatKeepsSafariFromPartsIsTold(index: Int) {
        let (change, expected) = Self.obstacles[index]
        var versions = Self.good
        change(&versions[1])
        #expect(PresentationRules.obstacles(in: versions) == expected)
    }

    @Test func aRuleIsToldOnceOfAPlaylist() {
        var rules = PresentationRules()
        for seconds in 1...5 as ClosedRange<Int64> {
            var versions = Self.good
            versions[1].playlist.serverControl?.holdBack = MediaTime(seconds: 20 + seconds)
            rules.take(versions)
        }
        #expect(rules.findings.count == 1)
        #expect(rules.lowLatencyObstacles == [])
    }
}
