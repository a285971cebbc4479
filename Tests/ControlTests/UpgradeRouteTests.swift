import HTTPServing
import NIOCore
import NIOHTTP1
import Testing

@testable import Control

/// The forecast of `GET /upgrade`.
@Suite struct UpgradeRouteTests {
    private static func fetch(
        _ method: HTTPMethod,
        _ forecast: UpgradeForecast,
        as role: ControlRole = .readOnly
    ) async throws -> (status: Int, body: String) {
        let server = Fixture.server(upgrade: forecast)
        let answer = await server.fetch("/upgrade", method, as: Requester(role: role))
        return (Int(answer.status.code), String(buffer: answer.body))
    }

    private static let forecast = UpgradeForecast(encoders: [
        .init(channel: "live", input: "input-1", transport: "rtmp", keeps: true, reason: "it is handed over"),
        .init(channel: "live", input: "backup-1", transport: "srt", keeps: false, reason: "it cannot be"),
    ])

    @Test func whoWouldBeCutOffIsSaid() async throws {
        let (status, body) = try await Self.fetch(.GET, Self.forecast)
        #expect(status == 200)
        #expect(
            body == """
                {
                  "encoders" : [
                    {
                      "channel" : "live",
                      "input" : "input-1",
                      "keeps" : true,
                      "reason" : "it is handed over",
                      "transport" : "rtmp"
                    },
                    {
                      "channel" : "live",
                      "input" : "backup-1",
                      "keeps" : false,
                      "reason" : "it cannot be",
                      "transport" : "srt"
                    }
                  ]
                }

                """
        )
    }

    @Test func whatKeepsAnUpgradeFromHappeningIsSaid() async throws {
        let (_, body) = try await Self.fetch(.GET, UpgradeForecast(obstacle: "standard input", encoders: []))
        #expect(body.contains("\"obstacle\" : \"standard input\""), "\(body)")
    }

    /// The question changes nothing, whatever the role.
    @Test func nothingElseCanBeAsked() async throws {
        #expect(try await Self.fetch(.POST, Self.forecast, as: .administrator).status == 405)
    }
}
