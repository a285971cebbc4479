import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Packagers that are killed again and again on a feed that continues, seen by clients that never stop asking.
@Suite(.serialized) struct KillTests {
    private static let common = ["--segment-duration", "1", "--window", "30", "--key-rotation", "3"]

    /// On a clock that the signal carries a restart makes the same bytes again, on `arrival` it makes others.
    private static let variants = [
        ["--clock", "pts", "--encryption", "sample-aes"], ["--clock", "arrival", "--encryption", "sample-aes"],
        ["--clock", "pts", "--encryption", "aes-128"], ["--clock", "arrival", "--encryption", "aes-128"],
        ["--clock", "pts", "--encryption", "sample-aes", "--on-loss", "hold"],
        ["--clock", "arrival"],
    ]

    /// Kills packagers at random moments, 15 times, or 300 where all is tested; the environment variable `KILLS` says how
    /// often else.
    ///
    /// Half of the moments lie in start-up and shortly after it, a quarter anywhere in the first seconds, and a quarter
    /// while a slot is written; every fifth comes once clients have compared what is published with what was before. Each
    /// packager's moments are the same in every run. As many packagers live at once as the machine has cores, and one more.
    @Test(.timeLimit(.minutes(10))) func noKillMakesAStreamContradictItself() async throws {
        let count = ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init)
        let kills = count ?? (Extent.isWhole ? 300 : 15)
        // Both clocks, both encryptions, and a picture that is held.
        let all = Extent.isWhole || count != nil ? Self.variants : [1, 2, 4].map { Self.variants[$0] }
        let width = ProcessInfo.processInfo.activeProcessorCount + 1
        for first in stride(from: 0, to: all.count, by: width) {
            let variants = Array(all[first..<min(first + width, all.count)])
            try await kill(variants, seed: first, times: kills * variants.count / all.count)
        }
    }

    private func kill(_ variants: [[String]], seed: Int, times kills: Int) async throws {
        let state = try TemporaryDirectory()
        let packagers = variants.enumerated().map { index, variant in
            MortalPackager(Self.common + variant, state: state.file("\(index)"))
        }
        let sender = try Self.feed(packagers)
        let start = Date.now
        let clients = packagers.map { ChannelClient($0) }
        try await withThrowingTaskGroup { group in
            for client in clients { group.addTask { await client.run() } }
            try await withThrowingTaskGroup { lives in
                for (index, packager) in packagers.enumerated() {
                    let share = kills / packagers.count + (index < kills % packagers.count ? 1 : 0)
                    let client = clients[index]
                    lives.addTask {
                        var random = SeededGenerator(seed: UInt64(seed + index))
                        for life in 1...share {
                            if life.isMultiple(of: 5) {
                                try await packager.live(untilIn: client)
                            } else {
                                try await packager.live(until: .random(using: &random))
                            }
                        }
                        // Whatever has happened to it, it continues.
                        try packager.start()
                        let last = client.witness.lastMedia
                        _ = try await eventually(within: 30, "new media after the last kill") {
                            client.witness.lastMedia > last ? true : nil
                        }
                    }
                }
                try await lives.waitForAll()
            }
            #expect(sender.program.isRunning, "the feed ended before the last kill")
            group.cancelAll()
        }
        let seconds = Int(Date.now.timeIntervalSince(start))
        print("\(kills) kills in \(seconds) s, \(packagers.map(\.servedCount).reduce(0, +)) lives that served")
        for ((variant, packager), client) in zip(zip(variants, packagers), clients) {
            print(variant.joined(separator: " "), client.witness.figures, packager.remarks)
            // A disk that is too slow for the journal is told: then this is no fault of the packager's.
            #expect(client.witness.contradictions.isEmpty, "it said \(packager.remarks)")
            // Half of the moments lie before anything can be compared.
            #expect(client.witness.figures.comparisons >= kills / packagers.count / 2)
            #expect(packager.failures.isEmpty)
            packager.end()
        }
    }

    /// A journal that loses what it was given last: without it the test above would prove nothing.
    @Test(.timeLimit(.minutes(5))) func clientsNoticeAStateOlderThanWhatTheySaw() async throws {
        let state = try TemporaryDirectory()
        let packager = MortalPackager(Self.common + Self.variants[1], state: state.file("now"))
        let sender = try Self.feed([packager])
        let client = ChannelClient(packager)
        try await withThrowingTaskGroup { group in
            group.addTask { await client.run() }
            try packager.start()
            for copy in ["first", "second"] {
                let last = client.witness.lastMedia
                _ = try await eventually(within: 30, "media") { client.witness.lastMedia > last ? true : nil }
                try FileManager.default.copyItem(atPath: state.file("now"), toPath: state.file(copy))
            }
            await packager.kill()
            #expect(client.witness.contradictions.isEmpty)
            try FileManager.default.removeItem(atPath: state.file("now"))
            try FileManager.default.moveItem(atPath: state.file("first"), toPath: state.file("now"))
            try packager.start()
            // It lists less than before, or already has a gap where there was media: that depends on when it is asked.
            let signs = ["removedFromEnd", "numberReused", "gapChanged"]
            _ = try await eventually(within: 30, "a contradiction") {
                client.witness.contradictions.contains { text in signs.contains { text.contains($0) } } ? true : nil
            }
            group.cancelAll()
        }
        packager.end()
        sender.program.kill()
    }

    /// One encoder for all, whose PTS is UTC modulo 2^33 in 90 kHz.
    private static func feed(_ packagers: [MortalPackager]) throws -> FeedSender {
        let wrap = Double(1 << 33) / 90_000
        let offset = Date.now.timeIntervalSince1970.truncatingRemainder(dividingBy: wrap)
        let targets = packagers.map { "[f=mpegts]udp://127.0.0.1\\:\($0.feedPort)?pkt_size=1316" }
        return try FeedSender(
            to: ["-f", "tee", targets.joined(separator: "|")],
            options: ["-output_ts_offset", "\(offset)"]
        )
    }
}
