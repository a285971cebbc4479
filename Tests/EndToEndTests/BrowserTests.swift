import Foundation
import Playlists
import TestSupport
import Testing

/// The player page in Chromium.
@Suite(.serialized) struct BrowserTests {
    /// When keys were asked for, in seconds since 1970.
    private struct KeyRequests: Decodable {
        var keyRequests: [Double]
    }

    private func play(_ packager: PackagerProcess, _ arguments: [String]) async throws -> String {
        try await play(packager.origin, arguments)
    }

    private func play(_ origin: String, _ arguments: [String]) async throws -> String {
        try await Program.run(
            Repository.python,
            [Repository.root.appending(path: "Tests/EndToEndTests/Browser/play.py").path, origin + "/live/"]
                + arguments
        )
    }

    @Test(
        arguments: [
            ["none"], ["aes-128"], ["aes-128", "--encrypt-init"], ["aes-256-gcm"],
            ["sample-aes"],
            ["sample-aes", "--drm", "fairplay,widevine,playready,clearkey"],
        ]
    )
    func playsAcrossKeyPeriods(encryption: [String]) async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
                "--key-rotation", "4", "--encryption",
            ] + encryption
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let periods = encryption == ["none"] ? [] : ["--min-periods", "2"]
        let seen = try await play(packager, ["--seconds", "40", "--minimum-advance", "6"] + periods)
        print(seen)
        await packager.end()
    }

    /// Well before they change, and at any moment then; who has just joined fetches at once.
    @Test(arguments: [["aes-128"], ["sample-aes", "--drm", "clearkey"]])
    func fetchesKeysAwayFromTheirChange(encryption: [String]) async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
                "--key-rotation", "12", "--encryption",
            ] + encryption
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let output = try await play(packager, ["--seconds", "90", "--minimum-advance", "40", "--min-periods", "4"])
        let requests = try JSONDecoder().decode(KeyRequests.self, from: Data(output.utf8)).keyRequests
        let joined = try #require(requests.first)
        let later = requests.filter { $0 > joined + 2 }
        #expect(later.count >= 2)
        for moment in later {
            let phase = moment.truncatingRemainder(dividingBy: 12)
            #expect((2...10).contains(phase), "\(phase) s after a change of keys")
        }
        await packager.end()
    }

    /// Each at a moment of its own, long before the lease ends.
    @Test(arguments: [["aes-128"], ["sample-aes"]])
    func aKeyIsRenewedBeforeItsLeaseEnds(encryption: [String]) async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
                "--key-rotation", "0", "--key-lease", "6", "--encryption",
            ] + encryption
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let output = try await play(packager, ["--seconds", "60", "--minimum-advance", "16"])
        let requests = try JSONDecoder().decode(KeyRequests.self, from: Data(output.utf8)).keyRequests
        // Of audio and video each twice at least, after the first time.
        #expect(requests.count >= 6, "\(requests)")
        await packager.end()
    }

    /// Who has no token any more cannot renew, and plays no longer than the lease.
    @Test func whoseTokenIsOverPlaysUntilTheLeaseEnds() async throws {
        let issuer = try await TokenIssuer([.init("shared")], [.init("shared", ["exp": .number(20)])])
        let directory = try TemporaryDirectory()
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
            "--key-rotation", "0", "--key-lease", "6", "--encryption", "sample-aes", "--playlist-variables",
            "--token-keys", directory.write(issuer.jwks, to: "jwks.json"),
        ])
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let url = "\(packager.origin)/live/?token=\(issuer.tokens[0])"
        let script = Repository.root.appending(path: "Tests/EndToEndTests/Browser/play.py").path
        print(try await Program.run(Repository.python, [script, url, "--seconds", "60", "--expect-failure"]))
        await packager.end()
    }

    /// As a player does that fetches all that a playlist names.
    @Test func severalKeysComeWithOneLicence() async throws {
        struct Seen: Decodable {
            var classes: [String]
            var asked: Int
            var statuses: [String]
            var lease: Int?
        }
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12",
            "--key-rotation", "60", "--key-lease", "90", "--encryption", "sample-aes", "--drm", "clearkey",
        ])
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let script = Repository.root.appending(path: "Tests/EndToEndTests/Browser/several_keys.py").path
        let output = try await Program.run(Repository.python, [script, packager.origin + "/live/"])
        let seen = try JSONDecoder().decode(Seen.self, from: Data(output.utf8))
        #expect(seen.classes == ["video", "audio", "video", "audio"])
        #expect(seen.asked == 4 && seen.lease == 90)
        #expect(seen.statuses == Array(repeating: "usable", count: 4))
        await packager.end()
    }

    /// By the browser's own HLS in transport streams, by ClearKey where samples are encrypted.
    @Test(arguments: [
        SegmentFormat(.transportStream, .none), SegmentFormat(.transportStream, .aes128),
        SegmentFormat(.fragmentedMP4, .sampleAESCounterMode),
    ])
    func playsEveryFormat(format: SegmentFormat) async throws {
        let packager = try await PackagerProcess(
            ["--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12"] + format.options
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        print(try await play(packager, ["--seconds", "40", "--minimum-advance", "3"]))
        await packager.end()
    }

    @Test func aCodecThatTheBrowserLacksIsNamed() async throws {
        let published = try await PackagedFeed([.hevc], as: SegmentFormat(.fragmentedMP4, .none))
        let reason = "This browser cannot decode the video of this channel: HEVC (hvc1."
        print(try await play(published.packager, ["--seconds", "20", "--expect-failure", "--reason", reason]))
        await published.packager.end()
    }

    @Test func whoDecryptsSamplesOfATransportStreamIsSaid() async throws {
        let published = try await PackagedFeed([.avc], as: SegmentFormat(.transportStream, .sampleAES))
        let reason = "Only Safari decrypts SAMPLE-AES in MPEG-TS"
        print(try await play(published.packager, ["--seconds", "20", "--expect-failure", "--reason", reason]))
        await published.packager.end()
    }

    @Test(arguments: ["aes-128", "sample-aes"])
    func aWrongKeyFails(encryption: String) async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--encryption",
                encryption,
            ]
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        let stop = Pipe()
        let proxy = try Program(
            Repository.python,
            [Repository.root.appending(path: "Tests/EndToEndTests/Browser/wrong_key.py").path, packager.origin],
            input: stop
        )
        let url = try await eventually(within: 10, "the proxy listens") {
            proxy.output.split(separator: "\n").first.map(String.init)
        }
        print(try await play(url, ["--seconds", "40", "--expect-failure"]))
        proxy.terminate()
        await packager.end()
        withExtendedLifetime(stop) {}
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
        async let seen = play(packager, ["--seconds", "60", "--expect-gap", "--minimum-advance", "12"])
        // The player is under way when it has asked for what came after its start.
        _ = try await packager.mediaPlaylist("video-360p", "twelve segments") { $0.segments.count >= 12 }
        first.program.kill()
        _ = try await packager.mediaPlaylist("video-360p", "three gaps") { $0.segments.count(where: \.isGap) >= 3 }
        let second = try FeedSender.udp(port: port)
        print(try await seen)
        second.program.kill()
        await packager.end()
    }
}
