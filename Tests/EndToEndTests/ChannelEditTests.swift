import Foundation
import Glibc
import TestSupport
import Testing

/// Channels that are added, changed and removed by the control API, under those who watch others.
@Suite(.timeLimit(.minutes(5))) struct ChannelEditTests {
    private struct Report: Decodable {
        var added: [String]
        var changed: [String]
        var removed: [String]
    }

    private static func document(_ more: String = "") -> String {
        "input: \(Repository.feed)\nloop: true\n\(more)"
    }

    private static func ask(
        _ packager: PackagerProcess,
        _ method: String,
        _ path: String,
        type: String = "application/yaml",
        tag: String? = nil,
        _ body: String? = nil
    ) async throws -> HTTP.Answer {
        var fields: [String: String] = body == nil ? [:] : ["Content-Type": type]
        fields["If-Match"] = tag
        return try await HTTP.get("\(try packager.control)\(path)", method: method, fields: fields, sending: body)
    }

    private static func names(_ packager: PackagerProcess) async throws -> String {
        try await HTTP.get("\(packager.origin)/channels.json").text.filter { !$0.isWhitespace }
    }

    private static func isListed(_ channel: String, _ packager: PackagerProcess) async throws {
        _ = try await eventually(within: 60, "\(channel) is on air") {
            try await HTTP.get("\(packager.origin)/\(channel)/video-360p.m3u8").status == 200 ? true : nil
        }
    }

    @Test func channelsComeAndGoUnderAPlayerAndAreThereAfterARestart() async throws {
        let directory = try TemporaryDirectory()
        let text =
            "# By hand.\napi-allow: \(Repository.samples)\nsegment-duration: 1\nwindow: 12\n"
            + "channels:\n  - {name: live, input: \(Repository.feed), loop: true}\n"
        let path = try directory.write(text, to: "packager.yaml")
        var packager = try await PackagerProcess(["--config", path])
        try await Self.isListed("live", packager)
        let player = try PlayingPage(of: packager, ["--minimum-advance", "15", "--maximum-stall", "0.1"])
        try await player.begun()
        let added = try await Self.ask(packager, "PUT", "/channels/event", Self.document())
        #expect(added.status == 201, "\(added.text)")
        let tag = try #require(added.fields["etag"])
        try await Self.isListed("event", packager)
        #expect(try await Self.ask(packager, "GET", "/channels/event/configuration").fields["etag"] == tag)
        let patch = #"{"window": 15, "encryption": null}"#
        let type = "application/merge-patch+json"
        let stale = try await Self.ask(packager, "PATCH", "/channels/event", type: type, tag: "\"no\"", patch)
        #expect(stale.status == 412)
        let tried = try await Self.ask(packager, "PATCH", "/channels/event?dry-run", type: type, tag: tag, patch)
        #expect(try JSONDecoder().decode(Report.self, from: tried.body).changed == ["event"])
        let patched = try await Self.ask(packager, "PATCH", "/channels/event", type: type, tag: tag, patch)
        #expect(try JSONDecoder().decode(Report.self, from: patched.body).changed == ["event"])
        // It has been another one since.
        #expect(try await Self.ask(packager, "DELETE", "/channels/event", tag: tag).status == 412)
        #expect(try await Self.ask(packager, "PUT", "/channels/second", Self.document()).status == 201)
        #expect(try await Self.ask(packager, "DELETE", "/channels/second").status == 200)
        #expect(try await Self.names(packager) == #"{"channels":["live","event"]}"#)
        try await player.seen()
        // As if the power failed.
        kill(packager.program.identifier, SIGKILL)
        _ = await packager.program.exitCode()
        packager = try await PackagerProcess(["--config", path])
        #expect(try await Self.names(packager) == #"{"channels":["live","event"]}"#)
        let kept = try await Self.ask(packager, "GET", "/channels/event/configuration").text
        #expect(kept.contains("\"window\" : 15"), "\(kept)")
        // A channel of the file can be removed, and the file stays as it was written.
        #expect(try await Self.ask(packager, "DELETE", "/channels/live").status == 200)
        #expect(try await Self.ask(packager, "DELETE", "/channels/live").status == 404)
        #expect(try await Self.ask(packager, "DELETE", "/channels/event").status == 422)
        #expect(try await Self.names(packager) == #"{"channels":["event"]}"#)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        let reload = try await Self.ask(packager, "POST", "/reload")
        #expect(reload.text.contains("the control API has removed channel live"), "\(reload.text)")
        #expect(try await Self.names(packager) == #"{"channels":["event"]}"#)
        await packager.end()
    }

    @Test func whatIsWrongChangesNothing() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "api-allow: [\(Repository.samples), /none.ts]\nsegment-duration: 1\nwindow: 12\ninput: \(Repository.feed)\nloop: true\n",
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess(["--config", path, "--channels", directory.file("said.yaml")])
        try await Self.isListed("live", packager)
        for (name, body, status, problem) in [
            ("b", "input: /none.ts", 422, "/none.ts"), ("b", "inptu: a.ts", 422, "did you mean input?"),
            ("b", "window: 60", 422, "there is no input"), ("b", "[1", 400, "line"),
            ("b", "name: c\ninput: x", 400, "name"),
            ("live", Self.document("segment-duration: 2"), 422, "segment-duration"),
            ("b", "input: relative.ts", 403, "api-allow"), ("b", "input: /etc/passwd", 403, "api-allow"),
            ("b c", Self.document(), 422, "cannot be a channel's name"),
            ("%2e%2e", Self.document(), 422, "cannot be a channel's name"),
        ] {
            let path = "/channels/\(name.replacing(" ", with: "%20"))"
            let answer = try await Self.ask(packager, "PUT", path, body)
            #expect(answer.status == status, "\(name) \(body): \(answer.text)")
            #expect(answer.text.contains(problem), "\(answer.text)")
        }
        #expect(try await Self.ask(packager, "PATCH", "/channels/b", type: "application/json", "{}").status == 404)
        #expect(!FileManager.default.fileExists(atPath: directory.file("said.yaml")))
        #expect(try await Self.names(packager) == #"{"channels":["live"]}"#)
        await packager.end()
    }

    /// Nothing that would be forgotten is done.
    @Test func whatCannotBeKeptIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let allow = "api-allow: \(Repository.samples)"
        let path = try directory.write(Self.document("\(allow)\nsegment-duration: 1\nwindow: 12"), to: "packager.yaml")
        let packager = try await PackagerProcess(["--config", path, "--channels", "/proc/none/said.yaml"])
        let answer = try await Self.ask(packager, "PUT", "/channels/b", Self.document())
        #expect(answer.status == 409)
        #expect(answer.text.contains("/proc/none"), "\(answer.text)")
        #expect(try await Self.names(packager) == #"{"channels":["live"]}"#)
        await packager.end()
        let plain = try await PackagerProcess(["--input", Repository.feed, "--loop"])
        let refused = try await Self.ask(plain, "PUT", "/channels/b", Self.document())
        #expect(refused.status == 409)
        #expect(refused.text.contains("--config"), "\(refused.text)")
        await plain.end()
    }
}
