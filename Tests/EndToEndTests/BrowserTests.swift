import Foundation
import Playlists
import TestSupport
import Testing

/// The player page in Chromium.
@Suite struct BrowserTests {
    private static let sample = ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12"]

    /// Packagers of the sample, each told something else, once they have something to play.
    private func packagers(_ options: [[String]]) async throws -> [PackagerProcess] {
        var packagers: [PackagerProcess] = []
        for options in options { packagers.append(try await PackagerProcess(Self.sample + options)) }
        for packager in packagers {
            _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        }
        return packagers
    }

    /// Plays the pages of several packagers in one browser.
    private func play(_ packagers: [PackagerProcess], _ expectations: [String]) async throws -> [PlayerPage] {
        try await PlayerPage.play(packagers.map { $0.url("") }, expectations)
    }

    @Test func playsAcrossKeyPeriods() async throws {
        let encryptions = [
            ["aes-128"], ["aes-128", "--encrypt-init"], ["aes-256-gcm"], ["sample-aes"],
            ["sample-aes", "--drm", "fairplay,widevine,playready,clearkey"],
        ]
        let packagers = try await packagers(encryptions.map { ["--key-rotation", "4", "--encryption"] + $0 })
        _ = try await play(packagers, ["--minimum-advance", "6", "--min-periods", "2"])
        for packager in packagers { await packager.end() }
    }

    /// Well before they change, and at any moment then; who has just joined fetches at once.
    @Test func fetchesKeysAwayFromTheirChange() async throws {
        let encryptions = [["aes-128"], ["sample-aes", "--drm", "clearkey"]]
        let packagers = try await packagers(encryptions.map { ["--key-rotation", "12", "--encryption"] + $0 })
        let expectations = ["--minimum-advance", "40", "--min-periods", "4"]
        for page in try await play(packagers, expectations) {
            let joined = try #require(page.keyRequests.first)
            let later = page.keyRequests.filter { $0 > joined + 2 }
            #expect(later.count >= 2)
            for moment in later {
                let phase = moment.truncatingRemainder(dividingBy: 12)
                // The schedule has 3.75 to 9.25 s; on a busy machine a browser's timers are late.
                #expect((2...11.5).contains(phase), "\(phase) s after a change of keys")
            }
        }
        for packager in packagers { await packager.end() }
    }

    /// Each at a moment of its own, long before the lease ends.
    @Test func aKeyIsRenewedBeforeItsLeaseEnds() async throws {
        let lease = ["--key-rotation", "0", "--key-lease", "6", "--encryption"]
        let packagers = try await packagers(["aes-128", "sample-aes"].map { lease + [$0] })
        for page in try await play(packagers, ["--minimum-advance", "16"]) {
            // Of audio and video each twice at least, after the first time.
            #expect(page.keyRequests.count >= 6, "\(page.keyRequests)")
        }
        for packager in packagers { await packager.end() }
    }

    /// A viewer without a token any more cannot renew, and plays no longer than the lease.
    @Test func whoseTokenIsOverPlaysUntilTheLeaseEnds() async throws {
        let issuer = try await TokenIssuer([.init("shared")], [.init("shared", ["exp": .number(20)])])
        let directory = try TemporaryDirectory()
        let options = [
            "--key-rotation", "0", "--key-lease", "6", "--encryption", "sample-aes", "--playlist-variables",
            "--token-keys", try directory.write(issuer.jwks, to: "jwks.json"),
        ]
        let packager = try await packagers([options])[0]
        let url = packager.url("?token=\(issuer.tokens[0])")
        try await PlayerPage.play(url, ["--expect-failure"])
        await packager.end()
    }

    /// A player may fetch all that a playlist names.
    @Test func severalKeysComeWithOneLicence() async throws {
        struct Seen: Decodable {
            var classes: [String]
            var asked: Int
            var statuses: [String]
            var lease: Int?
        }
        let options = [
            "--key-rotation", "60", "--key-lease", "90", "--encryption", "sample-aes", "--drm", "clearkey",
        ]
        let packager = try await packagers([options])[0]
        let script = Repository.script("EndToEndTests/Browser/several_keys.py")
        let output = try await Program.run(Repository.python, [script, packager.origin + "/live/"])
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.classes == ["video", "audio", "video", "audio"])
        #expect(seen.asked == 4 && seen.lease == 90)
        #expect(seen.statuses == Array(repeating: "usable", count: 4))
        await packager.end()
    }

    /// Also transport streams, which the page makes fMP4 of, and by ClearKey where samples are encrypted.
    @Test func playsEveryFormat() async throws {
        let formats = [
            SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.transportStream, .none),
            SegmentFormat(.transportStream, .aes128), SegmentFormat(.fragmentedMP4, .sampleAESCounterMode),
        ]
        let packagers = try await packagers(formats.map(\.options))
        for page in try await play(packagers, []) { #expect(page.behindLive != nil) }
        for packager in packagers { await packager.end() }
    }

    /// With audio in the segments of the video, of several rates and channels, and with pictures that are shown in another order.
    @Test func playsWhatIsMuxed() async throws {
        var published: [PackagedFeed] = []
        for feed in [FeedRecipe.avc, .aac44100, .aac51] {
            published.append(try await PackagedFeed([feed], as: SegmentFormat(.transportStream, .none)))
        }
        let pages = try await play(published.map(\.packager), ["--minimum-advance", "2"])
        for page in pages { #expect(page.behindLive != nil && page.gapsJumped == 0) }
        for feed in published { await feed.packager.end() }
    }

    @Test func aCodecThatTheBrowserLacksIsNamed() async throws {
        let published = try await PackagedFeed([.hevc], as: SegmentFormat(.fragmentedMP4, .none))
        let reason = "This browser cannot decode the video of this channel: HEVC (hvc1."
        _ = try await play([published.packager], ["--expect-failure", "--reason", reason])
        await published.packager.end()
    }

    @Test func whoDecryptsSamplesOfATransportStreamIsSaid() async throws {
        let published = try await PackagedFeed([.avc], as: SegmentFormat(.transportStream, .sampleAES))
        let reason = "Only Safari decrypts SAMPLE-AES in MPEG-TS"
        _ = try await play([published.packager], ["--expect-failure", "--reason", reason])
        await published.packager.end()
    }

    @Test func aWrongKeyFails() async throws {
        let packagers = try await packagers(["aes-128", "sample-aes"].map { ["--encryption", $0] })
        let script = Repository.script("EndToEndTests/Browser/wrong_key.py")
        let stops = packagers.map { _ in Pipe() }
        let proxies = try zip(packagers, stops).map { try Program(Repository.python, [script, $0.origin], input: $1) }
        var urls: [String] = []
        for proxy in proxies {
            let origin = try await eventually(within: 10, "the proxy listens") {
                proxy.output.split(separator: "\n").first.map(String.init)
            }
            urls.append(origin + "/live/")
        }
        try await PlayerPage.play(urls, ["--expect-failure"])
        for proxy in proxies { proxy.terminate() }
        for packager in packagers { await packager.end() }
        withExtendedLifetime(stops) {}
    }

    /// A keyboard, a phone, a link to a moment, and a network that comes and goes; transport streams are made fMP4 by the page.
    @Test(
        arguments: [
            ("fMP4", ["--encryption", "sample-aes"]),
            ("MPEG-TS", ["--format", "ts", "--encryption", "aes-128", "--key-rotation", "10"]),
        ].oneIn(2)
    )
    func theViewerFindsWhatPlayersHave(format: String, settings: [String]) async throws {
        struct Seen: Decodable {
            var link: String
            var distance: Double
            var said: String
            var cutOff: [String]
            var audio: [String]
            var format: String
        }
        let options = ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "30"]
        let packager = try await PackagerProcess(options + settings)
        _ = try await packager.mediaPlaylist("video-360p", "half a minute") { $0.segments.count >= 28 }
        let script = Repository.script("EndToEndTests/Browser/viewer.py")
        let output = try await Program.run(Repository.python, [script, packager.url(""), try packager.control])
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.link.wholeMatch(of: /t=20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\dZ/) != nil, "\(seen.link)")
        // It plays on while it is looked at.
        #expect((-1...6).contains(seen.distance), "\(seen.distance) s from the moment that was shared")
        #expect(seen.said == "2020-01-01 00:00:00 UTC is not in the live window any more.")
        #expect(seen.cutOff.isEmpty, "cut off on a phone")
        #expect(seen.audio == ["de", "en"])
        #expect(seen.format == format)
        await packager.end()
    }

    @Test func playsAcrossAGap() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            [
                "--segment-duration", "1", "--window", "30", "--encryption", "sample-aes", "--input",
                "udp://127.0.0.1:\(port)",
            ]
        )
        let first = try FeedSender.udp(port: port)
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let page = try PlayingPage(of: packager, ["--expect-gap", "--minimum-advance", "12"])
        // A gap that it does not come to would be waited for in vain.
        try await page.begun()
        first.program.kill()
        _ = try await packager.mediaPlaylist("video-360p", "three gaps") { $0.segments.count(where: \.isGap) >= 3 }
        let second = try FeedSender.udp(port: port)
        try await page.seen()
        second.program.kill()
        await packager.end()
    }
}
