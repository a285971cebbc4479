import Operations
import TestSupport
import Testing

@testable import MediaCore
@testable import Timeline

@Suite struct OffsetMeterTests {
    private static let modulus = Int64(1) << 33

    /// Two inputs that carry one programme; all times are milliseconds.
    struct Pair {
        var meter: OffsetMeter
        /// The time by which the backup's path is longer, which is what is to be found.
        var delay: Int64
        /// The times that the timestamps of both count from, in ticks.
        var bases: (primary: Int64, backup: Int64) = (900_000, 900_000)
        /// True if both deliver the same access units.
        var isPeer = true
        /// The number of pictures that are lost, of a hundred of each input.
        var loss = 0
        /// The most that a picture is held up.
        var jitter: Int64 = 0
        /// The value that a scene's picture has, 25 a second.
        var content: @Sendable (Int64) -> UInt64 = { UInt64(bitPattern: $0 &+ 1) &* 0x9E37_79B9_7F4A_7C15 }
        var generator = SeededGenerator(seed: 3)
        var now: Int64 = 0
        private(set) var found: [(time: Int64, alignment: OffsetMeter.Alignment)] = []

        init(delay: Int64, horizon: Int64 = 10_000) {
            self.delay = delay
            meter = OffsetMeter(horizon: MediaTime(milliseconds: horizon))
            open(.primary)
            open(.backup)
        }

        mutating func open(_ side: OffsetMeter.Side) {
            meter.opened(side, timestampModulus: OffsetMeterTests.modulus)
        }

        /// Sends pictures of both until so much time has passed.
        mutating func run(for milliseconds: Int64, sides: [OffsetMeter.Side] = [.primary, .backup]) {
            let end = now + milliseconds
            while now < end {
                for side in sides { send(side) }
                now += 40
            }
        }

        private mutating func send(_ side: OffsetMeter.Side) {
            guard Int.random(in: 0..<100, using: &generator) >= loss else { return }
            // What arrives now was made earlier; the backup's earlier still.
            let scene = side == .primary ? now : now - delay
            let picture = (scene + 1_000_000_000) / 40 - 25_000_000
            let base = side == .primary ? bases.primary : bases.backup
            let ticks = picture * 3_600 + base
            // By its own anchor each input's picture is due when it arrives, jitter apart.
            let utc = picture * 40 + (side == .primary ? 0 : delay)
            let own = isPeer || side == .primary ? 0 : UInt64(1) << 63 | 1
            let arrival = now + Int64.random(in: 0...jitter, using: &generator)
            let alignment = meter.received(
                OffsetMeter.Picture(
                    fingerprint: ContentHash(value: content(picture) ^ own),
                    timestamp: (ticks % OffsetMeterTests.modulus + OffsetMeterTests.modulus) % OffsetMeterTests.modulus,
                    utc: HealthDriver.time(utc)
                ),
                from: side,
                at: HealthDriver.time(arrival)
            )
            if let alignment { found.append((now, alignment)) }
        }

        /// The alignments that were told, as text: time, offset in milliseconds and method.
        var told: [String] {
            found.map { time, alignment in
                let method =
                    switch alignment.method {
                    case .matchingPictures: "pictures"
                    case .sharedTimestamps: "timestamps"
                    case .arrival: "arrival"
                    }
                return "\(time) \(alignment.offset.milliseconds) \(method)"
            }
        }
    }

    @Test(arguments: [0, 40, 320, 3_000, 9_500, -40, -320, -9_500] as [Int64])
    func twinsAreAlignedByTwelvePicturesThatAreTheSame(delay: Int64) {
        var pair = Pair(delay: delay)
        pair.bases.backup = 77_000_000
        pair.run(for: 30_000)
        // Both have sent the same scene as soon as the later one has.
        let last = pair.told.last?.split(separator: " ").dropFirst().joined(separator: " ")
        #expect(last == "\(delay) pictures")
        #expect(pair.meter.alignment?.offset == MediaTime(milliseconds: delay))
        if abs(delay) < 4_000 { #expect(pair.told == ["\(abs(delay) + 440) \(delay) pictures"]) }
    }

    @Test(arguments: [0, 320, -1_240] as [Int64], [0, 5, 30])
    func lossAndJitterDoNotMoveIt(delay: Int64, loss: Int) {
        var pair = Pair(delay: delay)
        pair.bases.backup = 77_000_000
        pair.loss = loss
        pair.jitter = 900
        pair.run(for: 120_000)
        #expect(pair.told.count == 1)
        #expect(pair.meter.alignment?.offset == MediaTime(milliseconds: delay))
    }

    @Test(
        arguments: [
            (0, "2000 0 timestamps"), (400, "2000 400 timestamps"), (-400, "2000 -400 timestamps"),
            (520, "5000 0 arrival"), (-520, "5000 0 arrival"),
        ] as [(Int64, String)]
    )
    func encodersOnOneClockAreAlignedByTheirTimestamps(delay: Int64, expected: String) {
        var pair = Pair(delay: delay)
        pair.isPeer = false
        pair.run(for: 60_000)
        #expect(pair.told == [expected])
    }

    @Test func timestampsAreComparedAcrossTheirWrap() {
        var pair = Pair(delay: 120)
        pair.isPeer = false
        // The primary's wrap after five seconds, the backup's 120 ms later.
        pair.bases = (Self.modulus - 450_000, Self.modulus - 450_000)
        pair.run(for: 20_000)
        #expect(pair.told == ["2000 120 timestamps"])
    }

    @Test func withNothingInCommonBothAreAssumedToTakeEquallyLong() {
        var pair = Pair(delay: 700)
        pair.isPeer = false
        pair.bases.backup = 77_000_000
        pair.run(for: 60_000)
        #expect(pair.told == ["5000 0 arrival"])
    }

    @Test func timestampsThatWrapElsewhereAreNotCompared() {
        var pair = Pair(delay: 0)
        pair.isPeer = false
        pair.meter.opened(.backup, timestampModulus: nil)
        pair.run(for: 20_000)
        #expect(pair.told == ["5000 0 arrival"])
    }

    @Test func nothingIsKnownOfAPairOfWhichOneDelivers() {
        var pair = Pair(delay: 0)
        pair.run(for: 60_000, sides: [.primary])
        #expect(pair.told.isEmpty)
        #expect(pair.meter.alignment == nil)
    }

    @Test func betterEvidenceReplacesWorse() {
        var pair = Pair(delay: 360)
        pair.isPeer = false
        pair.run(for: 10_000)
        pair.isPeer = true
        pair.run(for: 10_000)
        // Not even evidence that is as good as before makes it go back.
        pair.isPeer = false
        pair.run(for: 20_000)
        #expect(pair.told == ["2000 360 timestamps", "10440 360 pictures"])
    }

    @Test(arguments: [OffsetMeter.Side.primary, .backup])
    func aRestartForgetsAndMeasuresAnew(side: OffsetMeter.Side) {
        var pair = Pair(delay: 320)
        pair.run(for: 10_000)
        #expect(pair.meter.alignment?.offset == MediaTime(milliseconds: 320))
        pair.open(side)
        #expect(pair.meter.alignment == nil)
        pair.delay = 80
        pair.bases.backup = 5
        pair.run(for: 10_000)
        #expect(pair.told.count == 2)
        #expect(pair.meter.alignment?.offset == MediaTime(milliseconds: 80))
    }

    @Test func anAnchorThatMovesIsARestart() {
        var pair = Pair(delay: 320)
        pair.run(for: 10_000)
        // The path got longer and the timeline was anchored anew; nobody said so.
        pair.delay = 900
        pair.run(for: 40, sides: [.backup])
        #expect(pair.meter.alignment == nil)
        pair.run(for: 10_000)
        #expect(pair.meter.alignment?.offset == MediaTime(milliseconds: 900))
        #expect(pair.told.count == 2)
    }

    @Test func picturesThatRepeatTellNothing() {
        // Black: two access units that alternate, with different phase in the two inputs.
        var pair = Pair(delay: 320)
        pair.bases.backup = 77_000_000
        pair.content = { UInt64(bitPattern: $0 & 1) &+ 99 }
        pair.run(for: 30_000)
        #expect(pair.told == ["5000 0 arrival"])
    }

    @Test func blackBetweenScenesDoesNotMoveIt() {
        var pair = Pair(delay: 320)
        pair.bases.backup = 77_000_000
        let moving = pair.content
        pair.content = { $0 % 250 < 125 ? 99 : moving($0) }
        pair.run(for: 60_000)
        #expect(pair.told.last?.hasSuffix(" 320 pictures") == true)
        #expect(pair.told.filter { $0.hasSuffix("pictures") }.count == 1)
    }

    @Test(arguments: [320, -320, 40] as [Int64])
    func aFeedInALoopIsAlignedToTheNearestRound(delay: Int64) {
        var pair = Pair(delay: delay)
        pair.bases.backup = 77_000_000
        let moving = pair.content
        // Rounds of eight seconds, and both ran before they were looked at.
        pair.content = { moving(($0 % 200 + 200) % 200) }
        pair.run(for: 100_000)
        #expect(pair.told == ["\(abs(delay) + 440) \(delay) pictures"])
        // The primary stalls, so that only the backup's pictures find earlier ones; it stays.
        pair.run(for: 4_000, sides: [.backup])
        pair.run(for: 30_000)
        #expect(pair.told.count == 1)
    }

    @Test(
        arguments: [
            (
                OffsetMeter.Alignment(offset: MediaTime(milliseconds: 320), method: .matchingPictures(12)),
                "The backup is 320 ms behind its primary: 12 of the latest pictures are the same in both."
            ),
            (
                OffsetMeter.Alignment(offset: MediaTime(milliseconds: -40), method: .sharedTimestamps),
                "The backup is 40 ms ahead of its primary: both carry timestamps of one clock."
            ),
            (
                OffsetMeter.Alignment(offset: .zero, method: .sharedTimestamps),
                "The backup is level with its primary: both carry timestamps of one clock."
            ),
            (
                OffsetMeter.Alignment(offset: .zero, method: .arrival),
                "The backup is assumed to arrive together with its primary: they share no pictures or timestamps to measure it."
            ),
        ]
    )
    func itSaysWhatItFoundAndHow(alignment: OffsetMeter.Alignment, expected: String) {
        #expect(alignment.text == expected)
    }

    @Test func shiftsMakeTheTimesOfOneSceneEqual() {
        let alignment = OffsetMeter.Alignment(offset: MediaTime(ticks: 28_801), method: .matchingPictures(12))
        let (primary, backup) = (MediaTime(seconds: 1_000), MediaTime(seconds: 1_000) + alignment.offset)
        let backupShift = alignment.backupShift()
        #expect(backup + backupShift == primary)
        // The primary comes back while the backup is on air with a shift of its own.
        let old = MediaTime(ticks: -777)
        #expect(primary + alignment.primaryShift(backupShift: old) == backup + old)
    }

    @Test func anythingAtAllIsTaken() {
        var generator = SeededGenerator(seed: 17)
        var meter = OffsetMeter()
        let wild: [Int64] = [.min, .min + 1, .max, 0, -1, 1 << 33, 90_000]
        var now = HealthDriver.start
        for _ in 0..<20_000 {
            let side: OffsetMeter.Side = Bool.random(using: &generator) ? .primary : .backup
            now += MediaTime(milliseconds: Int64.random(in: -100...200, using: &generator))
            if Int.random(in: 0..<200, using: &generator) == 0 {
                meter.opened(side, timestampModulus: [nil, 1 << 33, 90 << 32].randomElement(using: &generator) ?? nil)
            }
            let isWild = Int.random(in: 0..<50, using: &generator) == 0
            let timestamp = isWild ? wild.randomElement(using: &generator) ?? 0 : (now - HealthDriver.start).ticks
            let picture = OffsetMeter.Picture(
                fingerprint: Bool.random(using: &generator) ? ContentHash(value: generator.next() % 300) : nil,
                timestamp: timestamp,
                utc: now
            )
            if let alignment = meter.received(picture, from: side, at: now) {
                #expect(alignment == meter.alignment)
                #expect(abs(alignment.offset.ticks) <= 900_000)
            }
        }
    }
}
