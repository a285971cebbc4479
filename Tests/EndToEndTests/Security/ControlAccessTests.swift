import Foundation
import TestSupport
import Testing

/// The values that the control API accepts, at the real program.
@Suite(.timeLimit(.minutes(5))) struct ControlAccessTests {
    private struct Stage {
        let directory: TemporaryDirectory
        let path: String

        init(_ more: String = "") throws {
            directory = try TemporaryDirectory()
            path = directory.file("packager.yaml")
            try write(more)
        }

        func write(_ more: String) throws {
            let text = "\(more)\nsegment-duration: 1\nwindow: 12\ninput: \(Repository.smallFeed)\nloop: true\n"
            _ = try directory.write(text, to: "packager.yaml")
        }
    }

    private static func ask(
        _ packager: PackagerProcess,
        _ method: String,
        _ path: String,
        _ body: String? = nil
    ) async throws -> HTTP.Answer {
        let fields = body == nil ? [:] : ["Content-Type": "application/json"]
        return try await HTTP.get("\(try packager.control)\(path)", method: method, fields: fields, sending: body)
    }

    @Test func noChannelRunsAProgramOrPublishesFiles() async throws {
        let stage = try Stage()
        let witness = stage.directory.file("witness")
        let program = try stage.directory.write("#!/bin/sh\ntouch \(witness)\n", to: "ads.sh")
        let packager = try await PackagerProcess(["--config", stage.path])
        let feed = #""input": "udp://127.0.0.1:5999", "loop": false"#
        for (value, setting) in [
            (#"{\#(feed), "ads": "command:/bin/sh \#(program)"}"#, "ads"), (#"{\#(feed), "ads": "files:/etc"}"#, "ads"),
            (#"{\#(feed), "ads": "vast:http://127.0.0.1:1/x"}"#, "ads"), (#"{\#(feed), "output": "/tmp"}"#, "output"),
            (#"{\#(feed), "key-source": "file:/etc/shadow", "encryption": "aes-128"}"#, "key-source"),
            (#"{"input": "/etc/passwd"}"#, "input"), (#"{"input": "concat:/etc/passwd|/etc/group"}"#, "input"),
            (#"{\#(feed), "subtitles": [{"language": "en", "source": "/etc/passwd"}]}"#, "subtitles[0].source"),
        ] {
            for (method, path) in [
                ("PUT", "/channels/x"), ("PUT", "/channels/x?dry-run"), ("PATCH", "/channels/live"),
                ("PATCH", "/channels/live?dry-run"),
            ] {
                let answer = try await Self.ask(packager, method, path, value)
                #expect(answer.status == 403, "\(method) \(path) \(value): \(answer.text)")
                #expect(answer.text.contains(setting) && answer.text.contains("configuration file"), "\(answer.text)")
            }
        }
        #expect(try await HTTP.get("\(packager.origin)/x/ads/passwd").status == 404)
        #expect(try await HTTP.get("\(packager.origin)/live/ads/passwd").status == 404)
        #expect(!FileManager.default.fileExists(atPath: witness))
        #expect(!FileManager.default.fileExists(atPath: stage.directory.file("packager.channels.yaml")))
        let names = try await HTTP.get("\(packager.origin)/channels.json").text.filter { !$0.isWhitespace }
        #expect(names == #"{"channels":["live"]}"#)
        let events = try await Self.ask(packager, "GET", "/events?kind=configuration-refused,access-refused").text
        #expect(
            events.contains("The configuration of channel x was to change by a client without a token at 127.0.0.1")
        )
        #expect(
            events.contains("The control API refused PUT /channels/x of a client without a token at 127.0.0.1 (403)")
        )
        let metrics = try await Self.ask(packager, "GET", "/metrics").text
        #expect(metrics.contains(#"packager_control_refusals_total{code="403"} 32"#))
        // A feed by network is free, and other values of the channel may change beside those of the file.
        #expect(try await Self.ask(packager, "PUT", "/channels/x", "{\(feed)}").status == 201)
        #expect(try await Self.ask(packager, "PATCH", "/channels/live", #"{"failback": 20}"#).status == 200)
        await packager.end()
    }

    /// Channels that were added when more was allowed are held to what is allowed now.
    @Test func keptChannelsAreCheckedAgain() async throws {
        let stage = try Stage("api-allow: \(Repository.samples)")
        var packager = try await PackagerProcess(["--config", stage.path])
        let document = #"{"input": "\#(Repository.smallFeed)", "loop": true, "window": 15}"#
        #expect(try await Self.ask(packager, "PUT", "/channels/x", document).status == 201)
        let changed = try await Self.ask(packager, "PATCH", "/channels/x", #"{"window": 20}"#)
        #expect(changed.status == 200, "\(changed.text)")
        let events = try await Self.ask(packager, "GET", "/events?kind=configuration").text
        #expect(
            events.contains("by a client without a token at 127.0.0.1: changed x (window from 15 to 20)."),
            "\(events)"
        )
        try stage.write("")
        let reload = try await Self.ask(packager, "POST", "/reload")
        #expect(reload.status == 422)
        #expect(reload.text.contains("packager.channels.yaml") && reload.text.contains("api-allow"), "\(reload.text)")
        await packager.end()
        let refused = try Program(Repository.packager, ["--config", stage.path, "--listen", "127.0.0.1:0"])
        #expect(await refused.exitCode() == 2)
        #expect(refused.errors.contains("channels[0].input: the control API may not set"), "\(refused.errors)")
        let check = try Program(Repository.packager, ["check-config", stage.path])
        #expect(await check.exitCode() == 2)
        try stage.write("api-allow: \(Repository.samples)")
        packager = try await PackagerProcess(["--config", stage.path])
        #expect(try await Self.ask(packager, "GET", "/channels/x").status == 200)
        await packager.end()
    }

    @Test func secretsOfFeedsAreShownToNobody() async throws {
        let stage = try Stage()
        let packager = try await PackagerProcess(["--config", stage.path, "--log-level", "trace"])
        let url =
            "http://user7:passWORD8@127.0.0.1:9/live.ts?auth=AUTHSECRET1&hdnts=AKAMAISECRET2&sig=SIGSECRET3&mode=x"
        let shown = "http://***@127.0.0.1:9/live.ts?auth=***&hdnts=***&sig=***&mode=x"
        #expect(
            try await Self.ask(packager, "PUT", "/channels/x", #"{"input": "\#(url)", "loop": false}"#).status == 201
        )
        let description = try await Self.ask(packager, "GET", "/channels/x/configuration").text
        #expect(description.contains(shown), "\(description)")
        // It comes back as it was read, with another value beside it.
        let edited = description.replacing(#""name""#, with: #""window": 20, "name""#)
        #expect(try await Self.ask(packager, "PUT", "/channels/x", edited).status == 200)
        let kept = try String(contentsOfFile: stage.directory.file("packager.channels.yaml"), encoding: .utf8)
        #expect(kept.contains(url) && kept.contains("window"), "\(kept)")
        _ = try await eventually(within: 30, "it is said that the feed cannot be had") {
            packager.program.errors.contains("127.0.0.1:9/live.ts") ? true : nil
        }
        let events = try await Self.ask(packager, "GET", "/events").text
        let check = try Program(Repository.packager, ["check-config", stage.path])
        _ = await check.exitCode()
        await packager.end()
        let said = [description, events, packager.program.errors, check.output, check.errors].joined()
        for secret in ["user7", "passWORD8", "AUTHSECRET1", "AKAMAISECRET2", "SIGSECRET3"] {
            #expect(!said.contains(secret), "\(secret)")
        }
    }
}
