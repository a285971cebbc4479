import Glibc
import PackagerConfig
import TestSupport
import Testing

@testable import EventDelivery
@testable import Hosting

/// Webhooks with their secrets.
@Suite struct WebhookTests {
    private static func descriptions(_ items: String...) throws -> [WebhookDescription] {
        let text = "input: \(Repository.smallFeed)\nwebhooks:\n\(items.map { "  - {\($0)}\n" }.joined())"
        return try Configuration.load(file: ConfigurationFile(name: "packager.yaml", text: text)).webhooks
    }

    @Test func eachIsKnownByItsHost() throws {
        let webhooks = try Webhook.all(
            Self.descriptions(
                "url: \"https://alerts.example.com/a\"",
                "url: \"https://Alerts.example.com/b\"",
                "url: \"http://127.0.0.1:9000/c\""
            ),
            environment: [:]
        )
        #expect(webhooks.map(\.name) == ["alerts.example.com", "alerts.example.com-2", "127.0.0.1:9000"])
        #expect(webhooks.allSatisfy { $0.secret == nil })
    }

    @Test func secretsComeFromTheEnvironmentAndFromFiles() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("of a file\n", to: "hook.key")
        try #require(chmod(path, 0o600) == 0)
        let webhooks = try Webhook.all(
            Self.descriptions(
                "url: \"https://a.example/\", secret-variable: HOOK",
                "url: \"https://b.example/\", secret-file: \(path)"
            ),
            environment: ["HOOK": "of a variable"]
        )
        #expect(
            webhooks.map { $0.secret.map { String(decoding: $0, as: UTF8.self) } } == ["of a variable", "of a file"]
        )
    }

    @Test func allSecretsThatAreMissingAreSaid() throws {
        let descriptions = try Self.descriptions(
            "url: \"https://a.example/\", secret-variable: NONE",
            "url: \"https://b.example/\"",
            "url: \"https://c.example/\", secret-file: /none/hook.key"
        )
        let error = #expect(throws: SetupError.self) { try Webhook.all(descriptions, environment: [:]) }
        #expect(error?.items.map(\.index) == [0, 2])
        #expect(error?.items.allSatisfy { $0.setting == "webhooks" } == true)
        #expect(error?.problems.first == "webhooks: secret-variable: the environment has no NONE")
    }
}
