import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// An input that dies in the midst of a slot of which viewers have parts, and a player that watches.
@Suite(.timeLimit(.minutes(5))) struct LowLatencyFailoverTests {
    private struct Seen: Decodable {
        var parts: Int
        var stalledSeconds: Double
        var problems: [String]
    }

    /// The input's parts stay, the rest of the slot are gaps, and the next slot is the backup's; hls.js plays on behind
    /// the gaps.
    @Test func theNextSlotIsTheBackups() async throws {
        let ports = (0..<2).map { _ in Ports.free(datagram: true) }
        let packager = try await PackagerProcess([
            "--segment-duration", "2", "--part-duration", "0.5", "--window", "60", "--clock", "pts",
            "--input", "udp://127.0.0.1:\(ports[0])", "--backup", "udp://127.0.0.1:\(ports[1])",
        ])
        let utc = FeedSender.utc
        let primary = try WatchedSender(port: ports[0], options: utc)
        let backup = try WatchedSender(port: ports[1], options: utc)
        var reader = try await PartReader(packager, "video-360p")
        let script = Repository.script("EndToEndTests/Browser/close_to_live.py")
        let page = try Program(
            Repository.python,
            [script, packager.url("index.m3u8"), "--settle", "2", "--seconds", "8"]
        )
        _ = try await eventually(within: 60, "hls.js plays") {
            page.errors.contains("plays http") || !page.isRunning ? true : nil
        }
        try await reader.follow()
        while reader.next.part != 2 { try await reader.follow() }
        let slot = reader.next.segment
        primary.program.kill()
        while reader.mediaCount(behind: slot) < 6 { try await reader.follow() }

        let log = packager.program.errors
        #expect(reader.earlyAnswers.isEmpty, "\(reader.earlyAnswers)\n\(log)")
        #expect(reader.changes.isEmpty, "\(reader.changes)\n\(log)")
        let parts = reader.parts(of: slot)
        let rest = parts.drop { !$0.line.isGap }
        #expect(parts.count - rest.count >= 2, "\(parts.map(\.line))\n\(log)")
        #expect(rest.allSatisfy { $0.line.isGap }, "\(parts.map(\.line))\n\(log)")
        // Without gaps the backup's key frame, which is at another phase, is where the input's media ends.
        let listed = reader.playlist.segments
        let index = Int(slot - reader.playlist.mediaSequence.value)
        try #require(index >= 0 && index + 1 < listed.count)
        let length = listed[index + 1].programDateTime - listed[index].programDateTime
        let told = parts.reduce(MediaTime.zero) { $0 + $1.line.duration.time }
        #expect(abs((length - told).ticks) < MediaTime(milliseconds: 50).ticks, "\(parts.map(\.line))\n\(log)")
        for part in parts where !part.line.isGap {
            #expect(try await HTTP.body(packager.url(part.line.uri)) == part.media, "\(part.line.uri)")
        }
        let next = reader.parts(of: slot + 1)
        backup.expectNothingMissing(
            !next.isEmpty && next.allSatisfy { !$0.line.isGap },
            "\(next.map(\.line))\n\(log)"
        )
        #expect(await page.exitCode() == 0, "\(page.output)\(page.errors)\(log)")
        print(page.output)
        let seen = try JSONDecoder().decode(Seen.self, from: Data(page.output.utf8))
        #expect(seen.problems.isEmpty && seen.parts >= 10, "\(log)")
        // The gaps are a second and a half, and it waits before it jumps; a busy machine has it wait longer.
        #expect(seen.stalledSeconds < 8, "\(log)")
        backup.program.kill()
        await packager.end()
    }
}
