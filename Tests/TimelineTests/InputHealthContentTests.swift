import MediaCore
import Operations
import TestSupport
import Testing
import Timeline

/// Frozen pictures and silence, by what decoding finds five times a second.
@Suite struct InputHealthContentTests {
    private static let checks = InputHealth.Checks(frozen: MediaTime(seconds: 4), silence: MediaTime(seconds: 4))

    /// A feed of one video track and two audio tracks of which something was found.
    private struct Examined {
        var health = InputHealth(checks: checks)
        var now: Int64 = 0
        /// The input's own time minus `now`, in milliseconds.
        var offset: Int64 = 0

        init() {
            health.opened(at: HealthDriver.start)
        }

        mutating func find(_ change: ContentFinding.PictureChange, levels: [Double] = [-23, -23]) -> InputHealth.Report
        {
            now += 200
            let time = MediaTime(milliseconds: now + offset)
            for track in 0...2 {
                let packet = InputHealth.Packet(
                    trackIndex: InputTrackIndex(track),
                    kind: track == 0 ? .video : .audio,
                    byteCount: 1_000,
                    isSync: true,
                    mediaTime: time
                )
                health.received(packet, at: HealthDriver.time(now))
            }
            health.examined(ContentFinding(trackIndex: 0, mediaTime: time, content: .picture(change)))
            for (place, level) in levels.enumerated() {
                let track = InputTrackIndex(1 + place)
                health.examined(ContentFinding(trackIndex: track, mediaTime: time, content: .audio(level: level)))
            }
            return health.report(at: HealthDriver.time(now))
        }

        /// - Returns: When it was first called frozen, in milliseconds; nil if it never was.
        mutating func firstFrozen(_ changes: [ContentFinding.PictureChange], rounds: Int = 1) -> Int64? {
            for _ in 0..<rounds {
                for change in changes where find(change).isFrozen { return now }
            }
            return nil
        }
    }

    private static func repeated(_ change: ContentFinding.PictureChange, _ count: Int) -> [ContentFinding.PictureChange]
    {
        Array(repeating: change, count: count)
    }

    /// A machine that is too busy to decode all: two pauses of speech, and what was said between them.
    @Test func audioThatWasLeftOutCountsForNoSilence() {
        var feed = Examined()
        for round in 0..<40 {
            if round.isMultiple(of: 9) {
                for track in [1, 2] as [InputTrackIndex] {
                    feed.health.examined(ContentFinding(trackIndex: track, mediaTime: .zero, content: .unheard))
                }
            }
            #expect(feed.find(.moved, levels: [-90, -90]).reasons.isEmpty)
        }
        for _ in 0..<30 { _ = feed.find(.moved, levels: [-90, -90]) }
        #expect(!feed.find(.moved, levels: [-90, -90]).reasons.isEmpty)
    }

    @Test func aPictureThatStandsStillIsFrozenWhenItsTimeIsUp() {
        var feed = Examined()
        #expect(feed.firstFrozen(Self.repeated(.moved, 10)) == nil)
        #expect(feed.firstFrozen(Self.repeated(.same, 30)) == 6_000)
        #expect(feed.find(.moved).reasons.isEmpty)
    }

    @Test func aPictureThatMovesOnceASecondIsNotFrozen() {
        var feed = Examined()
        #expect(feed.firstFrozen(Self.repeated(.same, 4) + [.moved], rounds: 600) == nil)
    }

    @Test func grainIsNotFrozenButAPictureThatLosesItIs() {
        var feed = Examined()
        let grain = Self.repeated(.shimmers, 7) + [.same] + Self.repeated(.shimmers, 2)
        #expect(feed.firstFrozen(grain, rounds: 300) == nil)
        let start = feed.now
        #expect(feed.firstFrozen(Self.repeated(.same, 30)) == start + 4_000)
    }

    /// The changes are those that x264 and x265 were seen to make after a key frame.
    @Test(
        arguments: [
            [.shimmers] + repeated(.same, 9),
            [.shimmers, .same, .same, .same, .shimmers, .shimmers, .shimmers, .same, .same, .shimmers],
            repeated(.shimmers, 10) + repeated(.same, 15),
        ]
    )
    func aPictureThatAnEncoderRefinesIsFrozen(group: [ContentFinding.PictureChange]) {
        var feed = Examined()
        #expect(feed.firstFrozen(Self.repeated(.moved, 10)) == nil)
        #expect(feed.firstFrozen(group, rounds: 4) == 6_000)
    }

    @Test func timestampsThatJumpOrWrapAreNoTime() {
        var feed = Examined()
        #expect(feed.firstFrozen(Self.repeated(.same, 15)) == nil)
        feed.offset = -95_443_717
        #expect(feed.firstFrozen(Self.repeated(.same, 4)) == nil)
        feed.offset = 3_600_000
        #expect(feed.firstFrozen(Self.repeated(.same, 10)) == 4_600)
    }

    @Test func whatIsFoundOfATrackWithoutPacketsIsPassedOver() {
        var health = InputHealth(checks: Self.checks)
        health.opened(at: HealthDriver.start)
        for second in 0..<60 as Range<Int64> {
            let time = MediaTime(seconds: second)
            health.examined(ContentFinding(trackIndex: 7, mediaTime: time, content: .picture(.same)))
        }
        #expect(!health.report(at: HealthDriver.start).isFrozen)
    }

    @Test func audioIsSilentWhenAllOfItIsForLongEnough() {
        var feed = Examined()
        // One track has little to say.
        for _ in 0..<100 { #expect(!feed.find(.moved, levels: [-23, -.infinity]).isSilent) }
        // Pauses, however often they come.
        for _ in 0..<50 {
            for _ in 0..<19 { #expect(!feed.find(.moved, levels: [-70, -.infinity]).isSilent) }
            #expect(!feed.find(.moved, levels: [-40, -.infinity]).isSilent)
        }
        for _ in 0..<19 { #expect(!feed.find(.moved, levels: [-90, -.infinity]).isSilent) }
        let report = feed.find(.moved, levels: [-90, -.infinity])
        #expect(report.isSilent)
        #expect(report.reasons.map(\.text) == ["All audio has been silent for 4.0 s."])
    }
}
