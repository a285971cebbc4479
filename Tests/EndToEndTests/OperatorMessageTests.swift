import Foundation
import Glibc
import Playlists
import TestSupport
import Testing

/// Messages for operators name the feed by its URL, say what it means to viewers and what to do, and show no secret.
@Suite struct OperatorMessageTests {
    @Test func anInputThatCannotBeOpenedIsNamedWithoutItsSecrets() async throws {
        let port = Ports.free()
        let feed = "http://operator:word@127.0.0.1:\(port)/feed.ts?key=hidden"
        let packager = try await PackagerProcess(["--input", feed])
        let line = try await eventually(within: 30, "the failure is said") {
            packager.program.errors.split(separator: "\n").first { $0.contains("input not opened") }.map(String.init)
        }
        #expect(line.contains("127.0.0.1:\(port)/feed.ts"))
        #expect(line.contains("Connection refused") && line.contains("viewers=") && line.contains("do="))
        // What FFmpeg says itself, with whose feed it says it of.
        let library = try await eventually(within: 5, "the library is heard") {
            packager.program.errors.split(separator: "\n").first { $0.contains(" info library ") }.map(String.init)
        }
        #expect(library.contains("channel=live") && library.contains("input=input-1") && library.contains("from="))
        #expect(!packager.program.errors.contains("word") && !packager.program.errors.contains("hidden"))
        await packager.end()
    }

    /// The lines answer what an operator asks at 20:03: what runs, what is waited for, when it came, when it went and
    /// for how long.
    @Test func everyMomentOfAFeedHasItsLine() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--input", "udp://127.0.0.1:\(port)", "--segment-duration", "1", "--window", "12"]
        )
        func line(_ what: String) async throws -> String {
            try await eventually(within: 30, "'\(what)' is said") {
                packager.program.errors.split(separator: "\n").first { $0.contains(what) }.map(String.init)
            }
        }
        #expect(try await line("info starting").contains("channels=1 version="))
        #expect(try await line("info channel").contains("inputs=udp://127.0.0.1:\(port)"))
        let waiting = try await line("notice waiting for input")
        #expect(waiting.contains("feed=udp://127.0.0.1:\(port)") && waiting.contains("seconds=5"), "\(waiting)")
        let first = try FeedSender.udp(port: port, feed: Repository.smallFeed)
        #expect(try await line("notice on air").contains("renditions=\"video-180p audio-en audio-de\""))
        first.program.kill()
        let lost = try await line("error input lost")
        #expect(lost.contains("no media for") && lost.contains("viewers=") && lost.contains("do="), "\(lost)")
        // Slots go by without media.
        _ = try await eventually(within: 30, "viewers miss something") {
            let events = try await HTTP.get("\(packager.control)/events?kind=gap").text
            return events.contains("video-180p") ? true : nil
        }
        let second = try FeedSender.udp(port: port, feed: Repository.smallFeed)
        let back = try await line("notice input is back")
        #expect(back.contains("after_seconds=") && back.contains("Viewers had gaps for"), "\(back)")
        second.program.kill()
        #expect(await packager.end() == 0)
        #expect(packager.program.errors.contains("notice stopping"))
        // Each thing is said once, and not once a slot.
        let lines = packager.program.errors.split(separator: "\n")
        #expect(lines.count < 30, "\(lines.joined(separator: "\n"))")
        for message in ["error input lost", "notice input is back"] {
            #expect(lines.count { $0.contains(message) } == 1, "\(message): \(lines)")
        }
        // A slot may be decided on before the input counts as lost: that is said, and so is its end.
        let isGapLogged = lines.contains { $0.contains("warning no input has media") }
        #expect(lines.contains { $0.contains("notice media is back") } == isGapLogged, "\(lines)")
    }

    /// It is said before anybody on another machine asks why nothing plays.
    @Test func packagerThatOnlyThisMachineReachesSaysSoOnce() async throws {
        let packager = try await PackagerProcess(["--input", "udp://0.0.0.0:\(Ports.free(datagram: true))"])
        @Sendable func lines() -> [Substring] {
            packager.program.errors.split(separator: "\n").filter { $0.contains("only this machine can reach") }
        }
        let line = try await eventually(within: 10, "it is said") { lines().first }
        #expect(line.contains("notice configuration") && line.contains("--listen: only"), "\(line)")
        #expect(line.contains("players on others get nothing"), "\(line)")
        #expect(await packager.end() == 0)
        #expect(lines().count == 1, "\(packager.program.errors)")
    }

    @Test func aStartWithoutItsSlateHasNotBegun() async throws {
        let feed = "udp://127.0.0.1:\(Ports.free(datagram: true))"
        let loss = ["--on-loss", "slate", "--slate", "/nowhere.ts"]
        let listeners = ["--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        let program = try Program(Repository.packager, ["--input", feed] + loss + listeners)
        #expect(await program.exitCode() == 2)
        _ = try await eventually(within: 10, "it has said why") { program.errors.contains("/nowhere.ts") ? true : nil }
        #expect(!program.errors.contains("starting"), "\(program.errors)")
    }

    /// The encoder of one event is switched off, and that of another sends to its port.
    @Test func anotherProgrammeOnThePortIsToldWithFromAndTo() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--input", "udp://127.0.0.1:\(port)", "--segment-duration", "1", "--window", "12"]
        )
        let first = try FeedSender.udp(port: port)
        _ = try await packager.mediaPlaylist("video-360p", "three segments") { $0.segments.count >= 3 }
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try FeedSender.udp(port: port, feed: Repository.smallFeed)
        let line = try await eventually(within: 30, "the change is said") {
            packager.program.errors.split(separator: "\n").first { $0.contains("notice input changed") }.map(
                String.init
            )
        }
        #expect(line.contains("h264 640x360 25 fps → h264 320x180 25 fps") && line.contains("video-360p"), "\(line)")
        let events = try await HTTP.get("\(packager.control)/events?kind=tracks").text
        let change = "Its video has changed: h264 640x360 25 fps → h264 320x180 25 fps. It is published as video-360p."
        #expect(events.contains(change), "\(events)")
        second.program.kill()
        await packager.end()
    }

    /// A program that parses the log finds an object in each line.
    @Test func theLogIsJSONWhereItIsAskedFor() async throws {
        let packager = try await PackagerProcess(
            ["--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--log-format", "json"]
        )
        _ = try await packager.mediaPlaylist("video-180p")
        await packager.end()
        let objects = try packager.program.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.allSatisfy { $0["time"] != nil && $0["level"] != nil && $0["message"] != nil })
        let onAir = try #require(objects.first { $0["message"] as? String == "on air" })
        #expect(onAir["channel"] as? String == "live" && onAir["slot"] is Int)
        #expect(onAir["renditions"] as? String == "video-180p audio-en audio-de")
    }

    /// The file is moved away, as logrotate does it, and SIGHUP follows.
    @Test func requestsHaveALogOfTheirOwnThatRotates() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("access.log")
        let packager = try await PackagerProcess(
            ["--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--access-log", path]
        )
        @Sendable func contents(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        _ = try await packager.text("index.m3u8?token=secret")
        let first = try await eventually(within: 5, "the request is logged") {
            contents(path).isEmpty ? nil : contents(path)
        }
        #expect(first.hasPrefix("127.0.0.1 - - ["))
        #expect(first.contains("\"GET /live/index.m3u8 HTTP/1.1\" 200 ") && !first.contains("secret"))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        kill(packager.program.identifier, SIGHUP)
        _ = try await eventually(within: 5, "there is a new file") {
            FileManager.default.fileExists(atPath: path) ? true : nil
        }
        _ = try await packager.text("video-180p.m3u8")
        _ = try await eventually(within: 5, "lines go on in it") {
            contents(path).contains("GET /live/video-180p.m3u8") ? true : nil
        }
        #expect(!contents(path + ".1").contains("GET /live/video-180p.m3u8"))
        #expect(await packager.end() == 0)
        #expect(!packager.program.errors.contains("user_agent"))
    }

    /// libsrt writes to standard error by itself, unless it has a handler for its lines.
    @Test func whatLibrariesSayIsInTheLog() async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--input", "srt://127.0.0.1:\(port)?mode=listener&passphrase=0123456789abc"]
        )
        let url = "srt://127.0.0.1:\(port)?passphrase=wrong-wrong-wrong"
        let line = try await eventually(within: 40, "the refusal is said") {
            _ = try? await Program.run(
                "ffmpeg",
                ["-v", "error", "-i", Repository.smallFeed, "-c", "copy", "-f", "mpegts", url]
            )
            return packager.program.errors.split(separator: "\n").first { $0.contains("from=srt") }.map(String.init)
        }
        #expect(line.contains(" library ") && line.contains("BADSECRET") && !line.contains(": : "), "\(line)")
        await packager.end()
        let raw = packager.program.errors.split(separator: "\n").filter { !$0.hasPrefix("20") }
        #expect(raw.isEmpty, "\(raw)")
    }
}
