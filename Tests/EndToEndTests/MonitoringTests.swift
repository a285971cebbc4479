import Foundation
import Playlists
import TestSupport
import Testing

/// Metrics and alerts, by Prometheus' own checker.
@Suite struct MonitoringTests {
    private static let promtool = Repository.root.appending(path: ".venv/bin/promtool").path
    private static let alerts = Repository.root.appending(path: "Config/monitoring/alerts.yaml").path

    private static func promtool(_ arguments: [String]) async throws -> (code: Int32, text: String) {
        let program = try Program(promtool, arguments)
        let code = await program.exitCode()
        return (code, program.output + program.errors)
    }

    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Target: Decodable { var expr: String }
            var title: String
            var targets: [Target]
        }
        var panels: [Panel]
    }

    @Test func prometheusReadsTheMetrics() async throws {
        let packager = try await PackagerProcess(
            [
                "--input", Repository.feed, "--loop", "--segment-duration", "1", "--window", "12", "--key-rate", "600",
                "--encryption", "aes-128",
            ]
        )
        _ = try await packager.mediaPlaylist("video-360p", "six segments") { $0.segments.count >= 6 }
        _ = try await packager.text("index.m3u8")
        let answer = try await HTTP.get("\(try packager.control)/metrics")
        #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let directory = try TemporaryDirectory()
        let metrics = try directory.write(answer.text, to: "metrics.txt")
        let check = try await Program.run("sh", ["-c", "\(Self.promtool) check metrics < \(metrics) 2>&1 || true"])
        #expect(check.isEmpty, "\(check)")
        let lines = answer.text.split(separator: "\n")
        let media = try #require(lines.first { $0.contains(#"rendition="video-360p",outcome="media""#) })
        #expect(try #require(Int(media.split(separator: " ").last ?? "")) >= 6)
        let playlists = #"packager_http_requests_total{kind="multivariant-playlist",code="200"} 1"#
        #expect(lines.contains { $0 == playlists })
        // Whatever rules and dashboards ask for is there.
        let names = Set(lines.compactMap { line in line.hasPrefix("# TYPE ") ? line.split(separator: " ")[2] : nil })
            .union([
                // Of what there is only with a backup, a journal, a recording, a state directory, a destination, a webhook, TLS or
                // players that say how they fare.
                "packager_push_healthy", "packager_push_lag_seconds", "packager_push_objects_total",
                "packager_push_recordings",
                "packager_redundant_inputs_up", "packager_playlists_withheld", "packager_storage_healthy",
                "packager_recording_slots_lost_total", "packager_recording_slots_removed_early_total",
                "packager_event_archive_healthy",
                "packager_webhook_healthy", "packager_viewer_buffer_seconds",
                "packager_certificate_expiry_timestamp_seconds",
            ])
        let rules = try String(contentsOfFile: Self.alerts, encoding: .utf8)
        let dashboard = try String(
            contentsOf: Repository.root.appending(path: "Config/monitoring/dashboard.json"),
            encoding: .utf8
        )
        for (_, name) in (rules + dashboard).matches(of: /(packager_[a-z_]+?)(_bucket)?\b/).map(\.output).map({
            ($0.0, $0.1)
        }) {
            #expect(names.contains(name) || name == "packager_", "\(name)")
        }
        await packager.end()
    }

    @Test func alarmsRingWhenTheyShould() async throws {
        let rules = try await Self.promtool(["check", "rules", Self.alerts])
        #expect(rules.code == 0, "\(rules.text)")
        let directory = try TemporaryDirectory()
        let scenario = try String(
            contentsOf: Repository.root.appending(path: "Tests/EndToEndTests/Monitoring/alerts_test.yaml"),
            encoding: .utf8
        )
        let path = try directory.write(scenario.replacing("[RULES]", with: "[\(Self.alerts)]"), to: "test.yaml")
        let played = try await Self.promtool(["test", "rules", path])
        #expect(played.code == 0, "\(played.text)")
    }

    /// Its queries are ones that Prometheus understands.
    @Test func theDashboardAsksWhatCanBeAnswered() async throws {
        let data = try Data(contentsOf: Repository.root.appending(path: "Config/monitoring/dashboard.json"))
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: data)
        let queries = dashboard.panels.flatMap(\.targets).map(\.expr)
        #expect(queries.count > 10)
        let rules = queries.enumerated().map { index, query in
            "      - {record: 'panel:query\(index)', expr: '\(query.replacing("'", with: "''"))'}"
        }
        let text = "groups:\n  - name: panels\n    rules:\n" + rules.joined(separator: "\n") + "\n"
        let directory = try TemporaryDirectory()
        let check = try await Self.promtool(["check", "rules", try directory.write(text, to: "panels.yaml")])
        #expect(check.code == 0, "\(check.text)")
    }
}
