import Foundation
import TestSupport
import Testing

/// Webhooks of the real program, taken by a server in Python that checks signatures.
@Suite(.timeLimit(.minutes(5))) struct WebhookTests {
    private struct Request: Decodable {
        var path: String
        var event: Int
        var signed: Bool
        var kind: String
    }

    private struct Start: Decodable { var port: Int }

    private static func receiver(_ behaviours: [String]) async throws -> (program: Program, url: String) {
        let program = try Program(
            Repository.python,
            [Repository.script("EventDeliveryTests/Webhooks/receiver.py")] + behaviours
        )
        let port = try await eventually(within: 20, "the receiver listens") {
            try program.output.split(separator: "\n").first.map {
                try JSONDecoder().decode(Start.self, from: Data($0.utf8)).port
            }
        }
        return (program, "http://127.0.0.1:\(port)")
    }

    private static func requests(_ program: Program, _ path: String) -> [Request] {
        program.output.split(separator: "\n").dropFirst()
            .compactMap { try? JSONDecoder().decode(Request.self, from: Data($0.utf8)) }.filter { $0.path == path }
    }

    @Test func aReceiverIsToldAndAnotherComesByReload() async throws {
        let (receiver, url) = try await Self.receiver(["/a=200", "/b=200"])
        let directory = try TemporaryDirectory()
        let secret = try directory.write("a secret\n", to: "hook.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        func write(_ hooks: String) throws {
            let text = """
                input: \(Repository.feed)
                loop: true
                segment-duration: 1
                state: \(directory.file("state"))
                webhooks:
                \(hooks)
                """
            _ = try directory.write(text, to: "packager.yaml")
        }
        let first = "  - {url: \"\(url)/a\", events: [input-opened, configuration], secret-file: \(secret)}"
        try write(first)
        let packager = try await PackagerProcess(["--config", directory.file("packager.yaml")])
        _ = try await eventually(within: 60, "it is told") { Self.requests(receiver, "/a").count >= 1 ? true : nil }
        try write("\(first)\n  - {url: \"\(url)/b\", secret-file: \(secret)}")
        let answer = try await HTTP.get("\(try packager.control)/reload", method: "POST")
        #expect(answer.status == 200, "\(answer.text)")
        let told = try await eventually(within: 60, "both are told of the reload") {
            let told = ["/a", "/b"].map { path in Self.requests(receiver, path).filter { $0.kind == "configuration" } }
            return told.contains { $0.isEmpty } ? nil : told
        }
        #expect(told[0][0].event == told[1][0].event)
        #expect(Self.requests(receiver, "/a").allSatisfy { $0.signed && $0.kind != "media" })
        #expect(Self.requests(receiver, "/b").allSatisfy { $0.signed })
        // What happened before is nobody's news.
        #expect(Self.requests(receiver, "/b")[0].event >= told[1][0].event)
        let status = String(decoding: try await HTTP.body("\(try packager.control)/webhooks"), as: UTF8.self)
        #expect(status.contains("\"delivered\"") && !status.contains("/a\""), "\(status)")
        let metrics = String(decoding: try await HTTP.body("\(try packager.control)/metrics"), as: UTF8.self)
        #expect(metrics.contains("packager_webhook_healthy{webhook=\"127.0.0.1:"))
        #expect(!packager.program.errors.contains("\(url.dropFirst("http://".count))/a"))
        await packager.end()
    }

    @Test func allThatIsWrongIsSaidAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let text = """
            input: \(Repository.feed)
            loop: true
            event-retention: 0
            webhooks:
              - {url: "ftp://a", events: [gaps]}
              - {events: [gap]}
              - {url: "https://a.example", secret-file: a, secret-variable: B}
              - {url: "https://a.example"}
            """
        let path = try directory.write(text, to: "packager.yaml")
        let check = try Program(Repository.packager, ["check-config", path])
        #expect(await check.exitCode() == 2)
        for part in [
            "event-retention", "webhooks[0].url", "webhooks[0].events", "webhooks[1]", "either secret-file or",
            "another webhook has this url",
        ] {
            #expect(check.errors.contains(part), "\(part): \(check.errors)")
        }
        let other = """
            input: \(Repository.feed)
            loop: true
            webhooks:
              - {url: "https://a.example", secret-file: \(directory.file("none"))}
              - {url: "https://b.example", secret-variable: PACKAGER_NO_SUCH_SECRET}
            """
        let run = try Program(Repository.packager, ["--config", try directory.write(other, to: "packager.yaml")])
        #expect(await run.exitCode() == 2)
        #expect(
            run.errors.contains("webhooks[0]: secret-file: ") && run.errors.contains("webhooks[1]: secret-variable")
        )
    }
}
