import Foundation
import Glibc
import MediaCore
import Playlists
import TestSupport
import Testing

/// Channels with parts whose packager is killed or upgraded in the midst of a slot: what was told is final for the next
/// process as well (RFC 8216bis § 6.2.1).
@Suite(.serialized) struct LowLatencyLifeTests {
    private static let settings = ["--segment-duration", "2", "--part-duration", "0.5", "--window", "60"]

    // MARK: Kills

    /// The parts that were told stay, the rest of the slot are gaps, and the first slot that has media again is whole.
    @Test(.timeLimit(.minutes(3))) func aKilledPackagerContinuesItsSlot() async throws {
        let directory = try TemporaryDirectory()
        let (port, feedPort) = (Ports.free(), Ports.free(datagram: true))
        let arguments =
            Self.settings + [
                "--clock", "pts", "--encryption", "sample-aes", "--state", directory.file("state"),
                "--input", "udp://127.0.0.1:\(feedPort)",
            ]
        let first = try await PackagerProcess(arguments, port: port)
        let sender = try WatchedSender(port: feedPort, options: FeedSender.utc)
        var reader = try await PartReader(first, "video-360p").following(5)
        while reader.next.part != 2 { try await reader.follow() }
        let slot = reader.next.segment
        first.program.kill()
        _ = await first.program.exitCode()

        let second = try await PackagerProcess(arguments, port: port)
        var after = try await PartReader(second, "video-360p")
        while after.mediaCount(behind: slot) < 6 { try await after.follow() }
        let log = second.program.errors
        #expect(after.earlyAnswers.isEmpty, "\(after.earlyAnswers)\n\(log)")
        #expect(after.changes.isEmpty, "\(after.changes)\n\(log)")
        let told = reader.parts(of: slot)
        let listed = after.parts(of: slot)
        #expect(told.count == 2)
        #expect(listed.prefix(2).map(\.line) == told.map(\.line), "\(log)")
        #expect(listed.prefix(2).map(\.media) == told.map(\.media), "\(log)")
        // It may have told another one until it was killed.
        let rest = listed.dropFirst(2).drop { !$0.line.isGap }
        #expect(!rest.isEmpty && rest.allSatisfy { $0.line.isGap }, "\(listed.map(\.line))\n\(log)")
        // A slot that was lost from its start on is a gap as a whole.
        let back = try #require(after.parts.filter { $0.key.segment > slot && $0.value.media != nil }.keys.min())
        let next = after.parts(of: back.segment)
        let isWhole = back.part == 0 && next.allSatisfy { !$0.line.isGap }
        sender.expectNothingMissing(isWhole, "\(next.map(\.line))\n\(log)")
        // Before it there is nothing but gaps.
        let between = after.parts.filter { $0.key.segment > slot && $0.key < back }
        #expect(between.values.allSatisfy { $0.line.isGap }, "\(log)")
        sender.program.kill()
        await second.end()
    }

    private static let common = ["--segment-duration", "1", "--part-duration", "0.25", "--window", "30"]

    private static let variants = [
        ["--clock", "pts", "--encryption", "sample-aes", "--key-rotation", "3"], ["--clock", "pts"],
        ["--clock", "arrival", "--encryption", "sample-aes-ctr"], ["--clock", "arrival"],
    ]

    /// Kills packagers at random moments, 6 times, or 500 where all is tested; the environment variable `KILLS` says
    /// how often else.
    ///
    /// Two thirds of the moments come when viewers have had some more parts, and the others as those of `KillTests`.
    /// Each packager's moments are the same in every run. There are more of them until one is in the midst of a slot.
    @Test(.timeLimit(.minutes(20))) func noKillTakesAPartBack() async throws {
        let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init) ?? (Extent.isWhole ? 500 : 6)
        let state = try TemporaryDirectory()
        let packagers = Self.variants.oneIn(2).enumerated().map { index, variant in
            MortalPackager(Self.common + variant, state: state.file("\(index)"))
        }
        let sender = try Self.feed(packagers)
        let followers = packagers.map { packager in
            ["video-360p", "audio-en"].map { PartFollower(packager, $0) }
        }
        let start = Date.now
        try await withThrowingTaskGroup { group in
            for follower in followers.joined() { group.addTask { await follower.run() } }
            try await withThrowingTaskGroup { lives in
                for (index, packager) in packagers.enumerated() {
                    let (count, follower) = (max(kills / packagers.count, 1), followers[index][0])
                    lives.addTask {
                        try await Self.endLives(of: packager, seenBy: follower, times: count, seed: index) {
                            followers.joined().contains { $0.memory.brokenSegments > 0 }
                        }
                    }
                }
                try await lives.waitForAll()
            }
            #expect(sender.program.isRunning, "the feed ended before the last kill")
            group.cancelAll()
        }
        print("\(kills) kills in \(Int(Date.now.timeIntervalSince(start))) s")
        #expect(followers.joined().contains { $0.memory.brokenSegments > 0 }, "no kill came in the midst of a slot")
        for (packager, follower) in zip(packagers, followers).flatMap({ packager, all in all.map { (packager, $0) } }) {
            let memory = follower.memory
            print(follower.rendition, memory.figures, "\(memory.brokenSegments) broken segments", packager.remarks)
            // A disk that is too slow for the journal is told: then this is no fault of the packager's.
            #expect(memory.contradictions.isEmpty, "it said \(packager.remarks)")
            #expect(memory.figures.comparisons > 0)
            #expect(packager.failures.isEmpty)
            packager.end()
        }
        sender.program.kill()
    }

    /// Lets a packager live and die, and live on in the end.
    private static func endLives(
        of packager: MortalPackager,
        seenBy follower: PartFollower,
        times count: Int,
        seed: Int,
        until isEnough: @Sendable () -> Bool
    ) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for life in 1...10 * count where life <= count || !isEnough() {
            if life.isMultiple(of: 3) {
                try await packager.live(until: .random(using: &random))
            } else {
                let wanted = follower.memory.figures.media + Int.random(in: 1...7, using: &random)
                try await packager.live { follower.memory.figures.media >= wanted }
            }
        }
        try packager.start()
        let newest = follower.memory.newest
        _ = try await eventually(within: 30, "new parts after the last kill") {
            let (now, before) = (follower.memory.newest?.segment ?? 0, newest?.segment ?? 0)
            return now > before ? true : nil
        }
    }

    /// One encoder for all, whose PTS is UTC modulo 2^33 in 90 kHz, for longer than any kills take.
    private static func feed(_ packagers: [MortalPackager]) throws -> FeedSender {
        let targets = packagers.map { "[f=mpegts]udp://127.0.0.1\\:\($0.feedPort)?pkt_size=1316" }
        return try FeedSender(
            to: ["-f", "tee", targets.joined(separator: "|")],
            options: FeedSender.utc,
            rounds: 180
        )
    }

    // MARK: Upgrades

    private static func successors(_ packager: PackagerProcess) -> [pid_t] {
        packager.program.output.split(separator: "\n").filter { $0.hasPrefix("successor ") }
            .compactMap { $0.split(separator: " ").last.flatMap { pid_t($0) } }
    }

    /// Another process takes the place of the one that runs in mid-slot: no part changes, none is missing, and no
    /// player waits in vain.
    @Test(.timeLimit(.minutes(3)), arguments: [true, false]) func anUpgradeIsNotNoticed(hasState: Bool) async throws {
        let directory = try TemporaryDirectory()
        let feedPort = Ports.free(datagram: true)
        let state = hasState ? ["--state", directory.file("state")] : []
        let packager = try await PackagerProcess(
            Self.settings + ["--encryption", "sample-aes", "--input", "udp://127.0.0.1:\(feedPort)"] + state
        )
        defer { for process in Self.successors(packager) { kill(process, SIGKILL) } }
        let sender = try WatchedSender(port: feedPort)
        var video = try await PartReader(packager, "video-360p").following(4)
        let audio = try await PartReader(packager, "audio-en")
        while video.next.part != 2 { try await video.follow() }
        let slot = video.next.segment
        kill(packager.program.identifier, SIGUSR2)
        async let heard = audio.following(18)
        let seen = try await video.following(18)
        _ = try await eventually(within: 60, "it is upgraded") { Self.successors(packager).first }
        let listened = try await heard
        for reader in [seen, listened] {
            let log = "\(reader.rendition)\n\(packager.program.errors)"
            #expect(reader.earlyAnswers.isEmpty && reader.changes.isEmpty, "\(log)")
            sender.expectNothingMissing(reader.parts.values.allSatisfy { !$0.line.isGap }, "\(log)")
            // The slot under way was told by both processes.
            for part in reader.parts(of: slot) where !part.line.isGap {
                #expect(try await HTTP.body(packager.url(part.line.uri)) == part.media, "\(part.line.uri)\n\(log)")
            }
            var compared: [Int64] = []
            let first = reader.next.segment - Int64(reader.playlist.segments.count)
            for (offset, segment) in reader.playlist.segments.enumerated() {
                let number = first + Int64(offset)
                guard let joined = reader.joined(number, count: reader.parts(of: number).count) else { continue }
                #expect(joined == (try await HTTP.body(packager.url(segment.uri))), "\(segment.uri)\n\(log)")
                compared.append(number)
            }
            sender.expectNothingMissing(compared.contains(slot), "\(compared) without \(slot)\n\(log)")
        }
        sender.program.kill()
    }
}
