import ContentProtection
import Foundation
import MediaCore
import TestSupport
import Testing

/// Access to the control API, at the real program.
@Suite struct ControlTokenTests {
    private static func line(_ name: String, _ role: String, _ token: String) throws -> String {
        "\(name) \(role) \(try MessageDigest.sha256.digest(Array(token.utf8)).hex)\n"
    }

    @Test func whoIsOnTheListMayWhatItSays() async throws {
        let directory = try TemporaryDirectory()
        let list = try directory.write(
            try Self.line("zoe", "administrator", "z-token") + Self.line("ana", "operator", "a-token")
                + Self.line("ben", "read-only", "b-token"),
            to: "tokens"
        )
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1", "--control-tokens", list,
        ])
        let control = try packager.control
        @Sendable func status(
            _ path: String,
            _ token: String?,
            method: String = "GET",
            _ body: String? = nil
        ) async throws -> Int {
            var fields = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            if body != nil { fields["Content-Type"] = "application/json" }
            return try await HTTP.get(control + path, method: method, fields: fields, sending: body).status
        }
        for path in ["/channels", "/metrics", "/events", "/origin"] {
            #expect(try await status(path, nil) == 401)
            #expect(try await status(path, "c-token") == 401)
            #expect(try await status(path, "b-token") == 200)
            #expect(try await status(path, "a-token") == 200)
        }
        #expect(try await status("/healthz", nil) == 200)
        let select = "{\"mode\": \"automatic\"}"
        #expect(try await status("/channels/live/select", "b-token", method: "POST", select) == 403)
        #expect(try await status("/channels/live/select", "a-token", method: "POST", select) == 200)

        // Ana changes no channels, and Zoe may (but there is no file that would keep them).
        #expect(try await status("/channels/x", "a-token", method: "PUT", "{\"input\": \"udp://h:1\"}") == 403)
        #expect(try await status("/reload", "a-token", method: "POST") == 403)
        #expect(try await status("/channels/x", "z-token", method: "PUT", "{\"input\": \"udp://h:1\"}") == 409)
        #expect(try await status("/channels/live/select", "z-token", method: "POST", select) == 200)

        for line in ["changed through the control API channel=live from=127.0.0.1 what=", "who=ana", "status=401"] {
            _ = try await eventually(within: 5, "it is said who it was") {
                packager.program.errors.contains(line) ? true : nil
            }
        }
        let fields = ["Authorization": "Bearer b-token"]
        let events = try await HTTP.get(control + "/events?kind=command,access-refused", fields: fields).text
        #expect(events.contains("Changed by ana at 127.0.0.1: input selection from "))
        #expect(
            events.contains("The control API refused GET /channels of a client without a token at 127.0.0.1 (401).")
        )
        // Metrics may be a tenth of a second old, in which all of the above may have happened.
        _ = try await eventually(within: 5, "metrics count who was refused") {
            let metrics = try await HTTP.get(control + "/metrics", fields: fields).text
            let counts = metrics.split(separator: "\n").filter { $0.hasPrefix("packager_control_refusals_total{") }
            let expected = ["401": 8, "403": 3].map { #"packager_control_refusals_total{code="\#($0)"} \#($1)"# }
            return counts.map(String.init).sorted() == expected.sorted() ? true : nil
        }

        // Ana is no more, and then nobody knows who is.
        _ = try directory.write(try Self.line("ben", "operator", "b-token"), to: "tokens")
        _ = try await eventually(within: 30, "the list has changed") {
            try await status("/channels", "a-token") == 401 ? true : nil
        }
        #expect(try await status("/channels/live/select", "b-token", method: "POST", select) == 200)
        _ = try directory.write("ben operator nothing\n", to: "tokens")
        _ = try await eventually(within: 30, "the list is refused") {
            packager.program.errors.contains("line 1: the hash must be 64 hexadecimal digits") ? true : nil
        }
        #expect(try await status("/channels/live/select", "b-token", method: "POST", select) == 200)
        #expect(await packager.end() == 0)
    }

    @Test func aPageIsToldWhatItMayDo() async throws {
        let packager = try await PackagerProcess([
            "--input", Repository.smallFeed, "--loop", "--segment-duration", "1",
        ])
        let json = try await HTTP.get(try packager.control + "/channels").fields
        #expect(json["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'")
        let page = try await HTTP.get(packager.origin + "/").fields
        #expect(page["content-security-policy"]?.contains("script-src 'self'; style-src 'self'") == true)
        #expect(page["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        for fields in [json, page] {
            #expect(fields["x-content-type-options"] == "nosniff")
            #expect(fields["referrer-policy"] == "no-referrer")
        }
        await packager.end()
    }
}
