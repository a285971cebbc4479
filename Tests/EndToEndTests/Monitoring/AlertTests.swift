import Foundation
import Glibc
import Playlists
import TestSupport
import Testing

/// The alerts that reach an operator, as Prometheus has them that scrapes a running packager.
@Suite struct AlertTests {
    /// A Prometheus of its own, which looks every half second and holds nothing back.
    private struct Prometheus {
        let program: Program
        private let url: String
        private let directory: TemporaryDirectory

        private struct Answer: Decodable {
            struct Alerts: Decodable { var alerts: [Alert] }
            struct Alert: Decodable {
                var labels: [String: String]
                var state: String
            }
            var data: Alerts
        }

        /// The alerts for a lost input and its consequences.
        private static let watched: Set = [
            "InputDown", "NoBackupLeft", "SlateOnAir", "GapsPublished", "ChannelScoreCritical",
        ]

        init(scraping control: String) throws {
            directory = try TemporaryDirectory()
            let alerts = Repository.root.appending(path: "Config/monitoring/alerts.yaml")
            let rules = try String(contentsOf: alerts, encoding: .utf8).replacing(/for: \d+[ms]/, with: "for: 1s")
            let rulesPath = try directory.write(rules, to: "alerts.yaml")
            let configuration = """
                global: {scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 500ms}
                rule_files: [\(rulesPath)]
                scrape_configs:
                  - {job_name: packager, static_configs: [{targets: ["\(control.drop { $0 != "/" }.dropFirst(2))"]}]}
                """
            let path = try directory.write(configuration, to: "prometheus.yaml")
            let port = Ports.free()
            url = "http://127.0.0.1:\(port)"
            program = try Program(
                Repository.root.appending(path: ".venv/bin/prometheus").path,
                [
                    "--config.file=\(path)", "--storage.tsdb.path=\(directory.file("data"))",
                    "--web.listen-address=127.0.0.1:\(port)", "--log.level=error",
                ]
            )
        }

        /// The alerts that fire now: `InputDown killed/input-1`, or `SlateOnAir killed`.
        var firing: Set<String> {
            get async throws {
                let body = try await HTTP.body("\(url)/api/v1/alerts")
                let alerts = try JSONDecoder().decode(Answer.self, from: body).data.alerts
                let names = alerts.filter { $0.state == "firing" }.compactMap { alert -> String? in
                    guard let name = alert.labels["alertname"], Self.watched.contains(name) else { return nil }
                    let place = [alert.labels["channel"], alert.labels["input"]].compactMap(\.self)
                    return "\(name) \(place.joined(separator: "/"))"
                }
                return Set(names)
            }
        }

        /// Returns true if it has heard of so many inputs that bring media.
        func hasHeard(of count: Int) async throws -> Bool {
            let query = "count(packager_input_up%20%3D%3D%201)"
            return try await HTTP.get("\(url)/api/v1/query?query=\(query)").text.contains(#","\#(count)"]"#)
        }
    }

    /// Alerts that should fire and do not.
    private struct Silent: Error {
        var alerts: [String]
    }

    private static func document(_ ports: [Int]) -> String {
        """
        segment-duration: 1
        window: 12
        on-loss: slate
        channels:
          - {name: killed, input: "udp://127.0.0.1:\(ports[0])"}
          - {name: frozen, input: "udp://127.0.0.1:\(ports[1])", on-loss: gap}
          - {name: silent, input: "udp://127.0.0.1:\(ports[2])"}
          - {name: half-open, input: "tcp://127.0.0.1:\(ports[3])"}
          - {name: pair, input: "udp://127.0.0.1:\(ports[4])", backup: "udp://127.0.0.1:\(ports[5])"}

        """
    }

    /// Null packets as a multiplexer sends them that has lost its encoder, until it is told to end.
    private static func nullPackets(to port: Int) throws -> Program {
        let script = """
            import socket, time
            socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            while True:
                socket.sendto(bytes([0x47, 0x1F, 0xFF, 0x10] + [0xFF] * 184) * 7, ("127.0.0.1", \(port)))
                time.sleep(0.02)
            """
        return try Program("python3", ["-c", script])
    }

    @Test func everyWayToLoseAnInputRings() async throws {
        let ports = (0..<6).map { Ports.free(datagram: $0 != 3) }
        let directory = try TemporaryDirectory()
        let packager = try await PackagerProcess([
            "--config", try directory.write(Self.document(ports), to: "channels.yaml"),
        ])
        let half = ["-f", "mpegts", "tcp://127.0.0.1:\(ports[3])?listen=1"]
        let senders = try ports.enumerated().map { index, port in
            if index == 3 {
                try FeedSender(to: half, feed: Repository.smallFeed)
            } else {
                try FeedSender.udp(port: port, feed: Repository.smallFeed)
            }
        }
        for channel in ["killed", "frozen", "silent", "half-open", "pair"] {
            _ = try await eventually(within: 60, "\(channel) is on air") {
                let answer = try await HTTP.get("\(packager.origin)/\(channel)/video-180p.m3u8")
                return answer.text.contains(".m4s") ? true : nil
            }
        }
        let prometheus = try Prometheus(scraping: try packager.control)
        _ = try await eventually(within: 60, "Prometheus hears that all is well") { () async throws -> Bool? in
            guard try await prometheus.hasHeard(of: 6) else { return nil }
            return try await prometheus.firing.isEmpty ? true : nil
        }
        senders[0].program.kill()
        Glibc.kill(senders[1].program.identifier, SIGSTOP)
        senders[2].program.kill()
        let multiplexer = try Self.nullPackets(to: ports[2])
        Glibc.kill(senders[3].program.identifier, SIGSTOP)
        senders[4].program.kill()
        let wanted: Set = [
            "InputDown killed/input-1", "InputDown frozen/input-1", "InputDown silent/input-1",
            "InputDown half-open/input-1", "InputDown pair/input-1", "NoBackupLeft pair/input-1",
            "SlateOnAir killed", "GapsPublished frozen", "SlateOnAir silent", "SlateOnAir half-open",
            "ChannelScoreCritical killed", "ChannelScoreCritical frozen",
        ]
        let firing = try await eventually(within: 90, "all of them ring") {
            let firing = try await prometheus.firing
            let silent = wanted.subtracting(firing)
            guard silent.isEmpty else { throw Silent(alerts: silent.sorted()) }
            return firing
        }
        // The backup is there: viewers of the pair miss nothing.
        for quiet in ["InputDown pair/backup-1", "GapsPublished pair", "SlateOnAir pair", "ChannelScoreCritical pair"] {
            #expect(!firing.contains(quiet), "\(quiet) rings")
        }
        // An encoder that comes back ends its alerts.
        let again = try FeedSender.udp(port: ports[0], feed: Repository.smallFeed)
        _ = try await eventually(within: 60, "the alarm is over") {
            try await prometheus.firing.contains("InputDown killed/input-1") ? nil : true
        }
        multiplexer.kill()
        prometheus.program.kill()
        for sender in senders + [again] { sender.program.kill() }
        await packager.end()
    }
}
