import MediaCore
import Operations
import TestSupport
import Testing

@testable import Timeline

/// Properties that hold for every feed.
@Suite struct InputHealthPropertyTests {
    private static let checks = InputHealth.Checks(frozen: MediaTime(seconds: 5), silence: MediaTime(seconds: 5))

    private static func feed(_ generator: inout SeededGenerator) -> HealthDriver.Feed {
        HealthDriver.Feed(
            pictureStep: [20, 40, 100].randomElement(using: &generator) ?? 40,
            group: Int64.random(in: 10...100, using: &generator),
            audioTracks: Array((1...3).prefix(Int.random(in: 0...3, using: &generator))),
            jitter: Int64.random(in: 0...400, using: &generator)
        )
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func aValidFeedNeverScoresBelow90(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var driver = HealthDriver(checks: Self.checks, feed: Self.feed(&generator), seed: seed)
        for _ in 0..<6 {
            // Scenes are as hard or as easy as they are.
            driver.feed.easiness = Int.random(in: 1...6, using: &generator)
            driver.run(for: 10_000) { #expect($0.score >= 90, "\($0)") }
        }
    }

    enum Harm: CaseIterable {
        case lost, stalled, noVideo, noAudio, noKeyFrames, damaged, repaired, frozen, silent

        /// Milliseconds until the score is at or below the limit.
        var bounds: (limit: Int, within: Int64) {
            switch self {
            case .lost: (0, 0)
            case .stalled: (50, 1_400)
            case .noVideo: (40, 2_400)
            case .noAudio: (60, 2_400)
            // Two intervals of at most ten seconds, and up to one that has begun.
            case .noKeyFrames: (70, 21_000)
            case .damaged: (85, 5_000)
            case .repaired: (85, 5_000)
            case .frozen: (40, 5_500)
            case .silent: (69, 5_500)
            }
        }
    }

    @Test(arguments: Harm.allCases, 0..<5 as Range<UInt64>)
    func everyFaultIsFoundInTime(harm: Harm, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var feed = Self.feed(&generator)
        feed.audioTracks = [1]
        var driver = HealthDriver(checks: Self.checks, feed: feed, seed: seed)
        driver.run(for: 20_000 + Int64.random(in: 0...50, using: &generator) * 100)
        switch harm {
        case .lost: driver.health.lost(at: HealthDriver.time(driver.now))
        case .stalled: break
        case .noVideo: driver.feed.sendsVideo = false
        case .noAudio: driver.feed.audioTracks = []
        case .noKeyFrames: driver.feed.sendsKeyFrames = false
        case .damaged: driver.feed.isDamaged = true
        case .repaired: driver.feed.isRepaired = true
        case .frozen: driver.feed.isFrozen = true
        case .silent: driver.feed.isSilent = true
        }
        let (limit, within) = harm.bounds
        let needed = driver.milliseconds(upTo: within, sending: harm != .stalled) { $0.score <= limit }
        #expect(needed != nil, "\(driver.report)")
    }

    @Test func anythingAtAllGivesAScoreAndSortedReasons() {
        var generator = SeededGenerator(seed: 99)
        var health = InputHealth(checks: Self.checks)
        let wild: [Int64] = [.min, .max, 0, -1, 1, 1 << 33, -(1 << 33)]
        var now = HealthDriver.start
        for _ in 0..<8_000 {
            now += MediaTime(milliseconds: Int64.random(in: -50...100, using: &generator))
            if Int.random(in: 0..<500, using: &generator) == 0 {
                now += MediaTime(seconds: Int64.random(in: -100_000...100_000, using: &generator))
            }
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: health.opened(at: now)
            case 1: health.lost(at: now)
            case 2: health.continuityError(at: now)
            case 3: health.timestampRepair(at: now)
            case 4...9:
                let contents: [ContentFinding.Content] = [
                    .picture(.moved), .picture(.shimmers), .picture(.same), .audio(level: -20),
                    .audio(level: -.infinity), .audio(level: .nan),
                ]
                health.examined(
                    ContentFinding(
                        trackIndex: InputTrackIndex(Int.random(in: -1...200, using: &generator)),
                        mediaTime: MediaTime(ticks: wild.randomElement(using: &generator) ?? 0),
                        content: contents.randomElement(using: &generator) ?? .picture(.same)
                    )
                )
            default:
                let packet = InputHealth.Packet(
                    trackIndex: InputTrackIndex(Int.random(in: -1...200, using: &generator)),
                    kind: Bool.random(using: &generator) ? .video : .audio,
                    byteCount: Int.random(in: 0...100, using: &generator),
                    isSync: Bool.random(using: &generator),
                    mediaTime: MediaTime(ticks: wild.randomElement(using: &generator) ?? 0)
                )
                health.received(packet, at: now)
            }
            let report = health.report(at: now)
            #expect((0...100).contains(report.score))
            #expect(report.score == max(0, 100 - report.reasons.reduce(0) { $0 + $1.deduction }))
            #expect(report.reasons.map(\.deduction) == report.reasons.map(\.deduction).sorted(by: >))
            #expect(report.reasons.allSatisfy { $0.text.hasSuffix(".") && $0.deduction > 0 })
        }
    }
}
