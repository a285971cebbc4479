import Foundation
import Glibc
import Playlists
import TestSupport
import Testing

/// Another process takes the place of one that runs, under the encoders that are connected to it.
@Suite(.timeLimit(.minutes(5))) struct EncoderUpgradeTests {
    private static func successors(_ packager: PackagerProcess) -> [pid_t] {
        packager.program.output.split(separator: "\n").filter { $0.hasPrefix("successor ") }
            .compactMap { $0.split(separator: " ").last.flatMap { pid_t($0) } }
    }

    private static func successor(_ count: Int, _ packager: PackagerProcess) async throws -> pid_t {
        try await eventually(within: 60, "upgrade \(count)") {
            let all = successors(packager)
            return all.count >= count ? all[count - 1] : nil
        }
    }

    /// The answer of `GET /upgrade`.
    private struct Forecast: Decodable {
        struct EncoderOutcome: Decodable {
            var channel: String
            var input: String
            var transport: String
            var keeps: Bool
        }

        var obstacle: String?
        var encoders: [EncoderOutcome]

        init(of packager: PackagerProcess) async throws {
            let body = try await HTTP.body("\(try packager.control)/upgrade")
            #expect(!String(decoding: body, as: UTF8.self).contains("secret"))
            self = try JSONDecoder().decode(Self.self, from: body)
        }
    }

    private static func end(_ process: pid_t) async throws {
        kill(process, SIGTERM)
        _ = try await eventually(within: 60, "the last process ends") { kill(process, 0) == 0 ? nil : true }
    }

    /// Every picture and every sound of the feed is published, in its order and at its time.
    private static func expectWholeFeed(_ packager: PackagerProcess, _ playlist: MediaPlaylist) async throws {
        #expect(
            playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
            "\(playlist.render())\(packager.program.errors)"
        )
        let directory = try TemporaryDirectory()
        let base = packager.url("").dropLast().description
        let run = try #require(playlist.periods(base: base).first)
        let pictures = playlistOptions + [try directory.write(run.render(), to: "pictures.m3u8")]
        let frames = try await Frames.decoded(pictures)
        #expect(frames.count >= (playlist.segments.count * 2 - 1) * 25)
        #expect(Frames.isRun(frames.map(\.checksum), of: try await Frames.ofSample()), "\(frames.count) pictures")
        // Media time may be set right by what the clock was corrected by before.
        #expect(steps(frames).allSatisfy { abs($0 - 3_600) < 900 }, "\(steps(frames))")
        // Of 48,000 samples a second.
        let sound = try await packager.mediaPlaylist("audio")
        let sounds = try await Frames.coded(
            playlistOptions
                + [try directory.write(#require(sound.periods(base: base).first).render(), to: "sounds.m3u8")],
            "a:0"
        )
        #expect(sounds.count >= (playlist.segments.count * 2 - 1) * 46)
        // Where media time is set right by some milliseconds, one frame at the edge of a slot may be in neither slot.
        #expect(steps(sounds).allSatisfy { (512...2_560).contains($0) }, "\(steps(sounds))")
    }

    /// The differing times from each frame to the next.
    private static func steps(_ frames: [DecodedFrame]) -> Set<Int64> {
        Set(zip(frames.dropFirst(), frames).map { $0.time - $1.time })
    }

    /// Twice: the encoder has one connection all the while, and not one picture is missing.
    @Test func anRTMPEncoderNoticesNothing() async throws {
        let port = Ports.free()
        let url = "rtmp://127.0.0.1:\(port)/live/secret"
        let packager = try await PackagerProcess(["--input", url, "--segment-duration", "2", "--window", "120"])
        defer { for process in Self.successors(packager) { kill(process, SIGKILL) } }
        // FFmpeg ends where its connection does.
        let sender = try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", url])
        let before = try await packager.mediaPlaylist("video-360p", "five segments") { $0.segments.count >= 5 }
        let check = try Program(Repository.packager, ["check", packager.url("index.m3u8"), "--duration", "30"])
        let forecast = try await Forecast(of: packager)
        #expect(forecast.obstacle == nil && forecast.encoders.map(\.input) == ["input-1"])
        #expect(forecast.encoders.map(\.transport) == ["rtmp"] && forecast.encoders.map(\.keeps) == [true])
        kill(packager.program.identifier, SIGUSR2)
        let second = try await Self.successor(1, packager)
        #expect(await packager.program.exitCode() == 0)
        kill(second, SIGUSR2)
        let third = try await Self.successor(2, packager)
        let count = try await packager.mediaPlaylist("video-360p").segments.count
        let after = try await packager.mediaPlaylist("video-360p", "three more") { $0.segments.count >= count + 3 }
        #expect(after.segments.prefix(before.segments.count).map(\.uri) == before.segments.map(\.uri))
        #expect(sender.program.isRunning, "\(sender.program.errors)")
        try await Self.expectWholeFeed(packager, after)
        #expect(await check.exitCode() == 0, "\(check.output)")
        #expect(check.output.contains(" 0 gaps"), "\(check.output)")
        let log = packager.program.errors
        #expect(log.split(separator: "RTMP encoders that stay connected: 1").count == 3, "\(log)")
        #expect(!log.contains("input lost") && !log.contains("cut off") && !log.contains("secret"), "\(log)")
        sender.program.kill()
        try await Self.end(third)
    }

    /// One that finds only when it has everything that it cannot continue: the encoder is the old one's again.
    @Test func anRTMPEncoderIsTakenBack() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free()
        let url = "rtmp://127.0.0.1:\(port)/live/secret"
        func write(_ more: String) throws -> String {
            try directory.write(
                "segment-duration: 2\nwindow: 120\nchannels:\n  - {name: live, input: '\(url)'}\n\(more)",
                to: "packager.yaml"
            )
        }
        let packager = try await PackagerProcess(["--config", try write("")])
        let sender = try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", url])
        _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        // A file is where the channel's directory is to be, which shows when that is made.
        _ = try directory.write("", to: "c")
        _ = try write("  - {name: c, input: \(Repository.feed), loop: true, state: \(directory.path)}\n")
        for attempt in 1...2 {
            kill(packager.program.identifier, SIGUSR2)
            _ = try await eventually(within: 60, "it is given up") {
                packager.program.errors.split(separator: "everything goes on as before: ").count > attempt ? true : nil
            }
        }
        let count = try await packager.mediaPlaylist("video-360p").segments.count
        let after = try await packager.mediaPlaylist("video-360p", "three more") { $0.segments.count >= count + 3 }
        #expect(sender.program.isRunning, "\(sender.program.errors)")
        try await Self.expectWholeFeed(packager, after)
        let log = packager.program.errors
        #expect(!log.contains("input lost") && !log.contains("cut off"), "\(log)")
        sender.program.kill()
        #expect(await packager.end() == 0)
    }

    /// An encoder whose connection cannot be handed over is named before it ends.
    @Test(arguments: ["srt", "tcp"]) func anEncoderThatIsCutOffIsNamedBefore(scheme: String) async throws {
        let port = Ports.free(datagram: scheme == "srt")
        let place = "\(scheme)://127.0.0.1:\(port)"
        let packager = try await PackagerProcess([
            "--input", scheme == "srt" ? "\(place)?mode=listener&streamid=secret" : "\(place)?listen=1",
            "--segment-duration", "2", "--window", "120",
        ])
        defer { for process in Self.successors(packager) { kill(process, SIGKILL) } }
        let sender = try FeedSender(to: ["-f", "mpegts", scheme == "srt" ? "\(place)?streamid=secret" : place])
        _ = try await packager.mediaPlaylist("video-360p", "two segments") { $0.segments.count >= 2 }
        let forecast = try await Forecast(of: packager)
        #expect(forecast.encoders.map(\.transport) == [scheme] && forecast.encoders.map(\.keeps) == [false])
        kill(packager.program.identifier, SIGUSR2)
        let second = try await Self.successor(1, packager)
        _ = await sender.program.exitCode()
        // What comes first in the log comes first, however late it is read.
        let log = try await eventually(within: 60, "it is said who the successor is") {
            packager.program.errors.contains(" has taken the place") ? packager.program.errors : nil
        }
        let taken = try #require(log.range(of: " has taken the place"))
        let named = try #require(log.range(of: "an encoder that sends to \(place)"), "\(log)")
        #expect(named.upperBound < taken.lowerBound, "\(log)")
        let events = try await HTTP.get("\(try packager.control)/events").text
        #expect(!packager.program.errors.contains("secret") && !events.contains("secret"))
        try await Self.end(second)
    }

    /// The forecast says what the log says at the signal.
    @Test func whoWillBeCutOffCanBeAskedBefore() async throws {
        let directory = try TemporaryDirectory()
        let (srt, tcp) = ("srt://127.0.0.1:\(Ports.free(datagram: true))", "tcp://127.0.0.1:\(Ports.free())")
        let feeds = [
            ("a", "'rtmp://127.0.0.1:\(Ports.free())/live/secret'"), ("b", "'\(srt)?mode=listener'"),
            ("c", "'\(tcp)?listen=1'"),
            ("d", "'udp://127.0.0.1:\(Ports.free(datagram: true))'"),
            ("e", "'tcp://127.0.0.1:\(Ports.free())'"), ("f", "\(Repository.feed), loop: true"),
        ]
        let channels = feeds.map { "  - {name: \($0.0), input: \($0.1)}\n" }.joined()
        let path = try directory.write("segment-duration: 2\nwindow: 24\nchannels:\n\(channels)", to: "packager.yaml")
        let packager = try await PackagerProcess(["--config", path])
        defer { for process in Self.successors(packager) { kill(process, SIGKILL) } }
        let idle = try await Forecast(of: packager)
        #expect(idle.encoders.map(\.keeps) == Array(repeating: true, count: feeds.count))
        let senders = [try FeedSender(to: ["-f", "mpegts", srt]), try FeedSender(to: ["-f", "mpegts", tcp])]
        defer { for sender in senders { sender.program.kill() } }
        let forecast = try await eventually(within: 60, "both encoders are connected") {
            let forecast = try await Forecast(of: packager)
            return forecast.encoders.count { !$0.keeps } == senders.count ? forecast : nil
        }
        #expect(forecast.obstacle == nil)
        #expect(forecast.encoders.map(\.channel) == feeds.map(\.0))
        #expect(forecast.encoders.map(\.transport) == ["rtmp", "srt", "tcp", "udp", "tcp", "file"])
        kill(packager.program.identifier, SIGUSR2)
        let second = try await Self.successor(1, packager)
        // Nothing of what it said is under way any more.
        #expect(await packager.program.exitCode() == 0)
        let log = packager.program.errors
        let named = log.matches(of: /channel ([a-z]+): an encoder that sends to/).map { String($0.output.1) }
        #expect(named == forecast.encoders.filter { !$0.keeps }.map(\.channel) && named == ["b", "c"], "\(log)")
        try await Self.end(second)
    }

    /// A stream that nobody takes any more is not kept waiting.
    @Test func anRTMPEncoderWithoutAnInputIsCutOff() async throws {
        let directory = try TemporaryDirectory()
        let port = Ports.free()
        func write(_ key: String) throws -> String {
            try directory.write(
                "segment-duration: 2\nwindow: 120\nchannels:\n"
                    + "  - {name: live, input: 'rtmp://127.0.0.1:\(port)/live/\(key)'}\n",
                to: "packager.yaml"
            )
        }
        let packager = try await PackagerProcess(["--config", try write("secret")])
        defer { for process in Self.successors(packager) { kill(process, SIGKILL) } }
        let sender = try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", "rtmp://127.0.0.1:\(port)/live/secret"])
        _ = try await packager.mediaPlaylist("video-360p", "a segment") { !$0.segments.isEmpty }
        _ = try write("another")
        kill(packager.program.identifier, SIGUSR2)
        let second = try await Self.successor(1, packager)
        _ = await sender.program.exitCode()
        _ = try await eventually(within: 20, "it is said") {
            packager.program.errors.contains("An RTMP encoder was cut off: 127.0.0.1 port ") ? true : nil
        }
        #expect(!packager.program.errors.contains("secret"))
        try await Self.end(second)
    }
}
