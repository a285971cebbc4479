import Foundation
import TestSupport
import Testing

/// `packager probe` as an operator runs it.
@Suite struct ProbeTests {
    private static func run(_ arguments: String...) async throws -> (code: Int32, output: String, errors: String) {
        let program = try Program(Repository.packager, ["probe"] + arguments)
        let code = await program.exitCode()
        let isSaid = try await eventually(within: 10, "it has said all") { () -> Bool? in
            let ends = ["}\n", ".\n"].contains { program.output.hasSuffix($0) }
            return ends || program.errors.contains("Usage:") ? true : nil
        }
        #expect(isSaid)
        return (code, program.output, program.errors)
    }

    @Test func whatAFeedContainsIsSaid() async throws {
        let (code, output, _) = try await Self.run(Repository.feed)
        #expect(code == 0)
        #expect(output.contains("h264, avc1.64001e, 640x360 at 25 a second"))
        #expect(output.contains("High level 3.0, progressive, SAR 1:1, 8 bits\n"))
        #expect(output.contains("a key frame every 1 s (25 pictures), closed groups"))
        #expect(output.hasSuffix("and nothing is wrong with it.\n"))
    }

    /// Scripts go by these names.
    @Test func asJSONItHasNamesThatStay() async throws {
        let (code, output, _) = try await Self.run(Repository.feed, "--json", "--seconds", "3")
        #expect(code == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        #expect(
            Set(report.keys) == ["feed", "seconds", "programs", "tracks", "timing", "publication", "advice", "verdict"]
        )
        let tracks = try #require(report["tracks"] as? [[String: Any]])
        #expect(
            Set(tracks[0].keys) == ["index", "kind", "program", "codec", "codecs", "rates", "picture", "rendition"]
        )
        let picture = try #require(tracks[0]["picture"] as? [String: Any])
        #expect(
            Set(picture.keys) == [
                "width", "height", "frameRate", "scan", "sampleAspectRatio", "bitDepth", "profile", "level", "groups",
                "bPictures", "captions",
            ]
        )
        let groups = try #require(picture["groups"] as? [String: Any])
        #expect(
            Set(groups.keys) == [
                "count", "shortest", "longest", "mean", "pictures", "isRegular", "isOpen", "refreshesGradually",
            ]
        )
        let publication = try #require(report["publication"] as? [String: Any])
        #expect(publication["isPossible"] as? Bool == true)
        #expect(publication["renditions"] as? [String] == ["video-360p", "audio-en", "audio-de"])
        let seconds = try #require(report["seconds"] as? Double)
        #expect(3..<3.5 ~= seconds)
    }

    @Test func aLiveFeedIsMeasuredByTheClock() async throws {
        let port = Ports.free(datagram: true)
        let sender = try FeedSender.udp(port: port)
        let (code, output, _) = try await Self.run("udp://127.0.0.1:\(port)", "--seconds", "8", "--json")
        sender.program.terminate()
        #expect(code == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        let timing = try #require(report["timing"] as? [String: Any])
        #expect(timing["jitter"] is Double)
    }

    @Test func exitCodesTellWhatKeepsAFeedFromBeingPublished() async throws {
        let nothing = try await Self.run("udp://127.0.0.1:\(Ports.free(datagram: true))", "--seconds", "1")
        #expect(nothing.code == 1)
        #expect(nothing.output.hasSuffix("It would not be published: nothing came that could be read.\n"))
        let unknown = try await Self.run("upd://127.0.0.1:1")
        #expect(unknown.code == 2 && unknown.errors.contains("did you mean udp?"))
        let length = try await Self.run(Repository.feed, "--seconds", "0")
        #expect(length.code == 2)
    }

    /// libavformat names what it cannot open by all of its URL.
    @Test func librariesTellNoSecret() async throws {
        let feed = "srt://127.0.0.1:\(Ports.free(datagram: true))?passphrase=secret-secret"
        let (code, output, errors) = try await Self.run(feed, "--seconds", "1")
        #expect(code == 1)
        #expect(!output.contains("secret") && !errors.contains("secret"), "\(errors)")
        #expect(!errors.contains("[srt @ "), "\(errors)")
    }

    /// libsrt writes to standard error by itself, unless it has a handler for its lines.
    @Test func whyAnEncoderIsRefusedIsSaid() async throws {
        let place = "srt://127.0.0.1:\(Ports.free(datagram: true))"
        let feed = "\(place)?mode=listener&passphrase=0123456789abc"
        let probe = try Program(Repository.packager, ["probe", feed, "--seconds", "60"])
        _ = try await eventually(within: 40, "the refusal is said") {
            _ = try? await Program.run(
                "ffmpeg",
                [
                    "-v", "error", "-i", Repository.smallFeed, "-c", "copy", "-f", "mpegts",
                    "\(place)?passphrase=wrong-wrong-wrong",
                ]
            )
            return probe.errors.contains("BADSECRET") ? true : nil
        }
        probe.terminate()
        _ = await probe.exitCode()
        let raw = probe.errors.split(separator: "\n").filter { !$0.hasPrefix("srt: ") }
        #expect(raw.isEmpty, "\(raw)")
    }

    @Test func aPortInUseIsAnError() async throws {
        let port = Ports.free(datagram: true)
        let script =
            "import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', \(port)));"
            + "print('held', flush=True); import time; time.sleep(600)"
        let other = try Program("/usr/bin/python3", ["-c", script])
        _ = try await eventually(within: 10, "the port is held") { other.output.contains("held") ? true : nil }
        let probe = try Program(Repository.packager, ["probe", "udp://127.0.0.1:\(port)", "--seconds", "600"])
        #expect(await probe.exitCode() == 1)
        _ = try await eventually(within: 10, "it has said why") {
            probe.errors.contains("port \(port) is in use by another program") ? true : nil
        }
        #expect(probe.output.isEmpty)
        other.terminate()
    }
}
