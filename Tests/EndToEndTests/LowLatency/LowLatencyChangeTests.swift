import Foundation
import Glibc
import TestSupport
import Testing

/// hls.js in low-latency mode in Chromium, while something changes in the channel: it must not stall.
@Suite(.timeLimit(.minutes(5))) struct LowLatencyChangeTests {
    private struct Seen: Decodable {
        var parts: Int
        var stalledSeconds: Double
        var problems: [String]
        /// The IDs of all date ranges that the player has known.
        var dateRanges: [String]
    }

    /// A packager with parts of a second that is fed over UDP, and a page that plays it.
    private final class Stage: Sendable {
        let packager: PackagerProcess
        private let sender: WatchedSender
        private let page: Program

        /// Waits until the page plays; from then on it looks for half a minute.
        init(_ options: [String] = []) async throws {
            let port = Ports.free(datagram: true)
            let settings = ["--segment-duration", "4", "--part-duration", "1", "--window", "60"]
            packager = try await PackagerProcess(settings + options + ["--input", "udp://127.0.0.1:\(port)"])
            sender = try WatchedSender(port: port)
            _ = try await PartReader(packager, "video-360p")
            let script = Repository.script("EndToEndTests/Browser/close_to_live.py")
            let page = try Program(
                Repository.python,
                [script, packager.url("index.m3u8"), "--seconds", "30"]
            )
            self.page = page
            _ = try await eventually(within: 150, "hls.js plays") {
                page.errors.contains("plays http") || !page.isRunning ? true : nil
            }
        }

        /// The report of the page in the end, which has no stall.
        func seen() async throws -> Seen {
            let code = await page.exitCode()
            let log = packager.program.errors
            #expect(code == 0, "\(page.output)\(page.errors)\(log)")
            print(page.output)
            let seen = try JSONDecoder().decode(Seen.self, from: Data(page.output.utf8))
            #expect(seen.problems.isEmpty && seen.parts >= 20, "\(log)")
            let pause = sender.longestPause?.seconds ?? 0
            // Players are three parts behind.
            #expect(seen.stalledSeconds == 0 || pause > 1, "\(page.output)\(page.errors)\(log)")
            return seen
        }

        func end() async {
            sender.program.kill()
            await packager.end()
        }
    }

    @Test func anAdBreakDoesNotStallIt() async throws {
        let stage = try await Stage()
        try await stage.packager.tell(#"{"event": 7, "out": true, "duration": 8}"#, to: "splices")
        let seen = try await stage.seen()
        #expect(!seen.dateRanges.isEmpty, "\(seen)")
        await stage.end()
    }

    /// Another process takes the packager's place.
    @Test func anUpgradeDoesNotStallIt() async throws {
        let stage = try await Stage()
        let program = stage.packager.program
        let successor = { () -> pid_t? in
            program.output.split(separator: "\n").first { $0.hasPrefix("successor ") }
                .flatMap { pid_t($0.dropFirst("successor ".count)) }
        }
        defer { if let process = successor() { kill(process, SIGKILL) } }
        kill(program.identifier, SIGUSR2)
        _ = try await stage.seen()
        #expect(successor() != nil, "\(program.output)\(program.errors)")
        await stage.end()
    }
}
