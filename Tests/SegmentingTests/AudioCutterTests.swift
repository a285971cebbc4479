import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting

@Suite struct AudioCutterTests {
    /// Frames into a cutter and cuts out of it; times are ticks from the epoch on.
    private struct Driver {
        var cutter = AudioCutter()
        var configuration = SyntheticTracks.audio
        var boundary = Epoch.time
        var number = Epoch.slot
        var cuts: [CutSegment] = []

        mutating func frame(at time: MediaTime, byte: UInt8 = 1) {
            let sample = Sample(
                decodeTime: time,
                presentationTime: time,
                isSync: true,
                payload: ByteBuffer(bytes: [byte])
            )
            cutter.received(sample, configuration: .aac(configuration))
        }

        /// Frames of the configuration's rate, counted from the epoch on, as a clock of `clock` Hz shows them.
        mutating func frames(_ indexes: Range<Int64>, clock: Int64 = 90_000) {
            for index in indexes {
                let exact = MediaTime.rescale(index * 1_024, from: Int64(configuration.coreSampleRate), to: clock)
                frame(at: Epoch.time + MediaTime(exact, timescale: clock))
            }
        }

        /// Cuts the next slot's segment; `end` is in milliseconds from the epoch on, nil at the feed's end.
        @discardableResult
        mutating func cut(to end: Int64?) -> CutSegment {
            let start = boundary
            let cut = cutter.cut(number, from: start, to: end.map(Epoch.at), utcOffset: .zero)
            cuts.append(cut)
            number = number.next
            if let end { boundary = Epoch.at(end) }
            return cut
        }
    }

    private static func configuration(rate: Int, bytes: [UInt8]) -> AACConfiguration {
        AACConfiguration(
            audioSpecificConfig: bytes,
            objectType: 2,
            coreSampleRate: rate,
            outputSampleRate: rate,
            channels: 2
        )
    }
    private static let rate44 = configuration(rate: 44_100, bytes: [0x12, 0x10])
    private static let rate32 = configuration(rate: 32_000, bytes: [0x12, 0x90])

    // MARK: Boundaries

    @Test func aSegmentStartsWithTheFirstFrameAtOrAfterTheBoundary() {
        var driver = Driver()
        driver.frames(-10..<400)
        driver.cut(to: 4_000)
        driver.cut(to: 8_000)
        // 4 s are 187.5 frames: the second segment starts half a frame late.
        #expect(driver.cuts[0].decodeTime == Epoch.time.value(timescale: 48_000))
        #expect(driver.cuts[0].duration == 188 * 1_024)
        #expect(driver.cuts[0].samples.count == 188)
        #expect(driver.cuts[1].decodeTime == driver.cuts[0].decodeTime + 188 * 1_024)
        #expect(driver.cuts[1].duration == 187 * 1_024)
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func aSegmentIsCompleteOnceAFrameOfTheNextHasCome() {
        var driver = Driver()
        driver.frames(0..<188)
        #expect(!driver.cutter.isComplete(until: Epoch.at(4_000)))
        driver.frames(188..<189)
        #expect(driver.cutter.isComplete(until: Epoch.at(4_000)))
        #expect(driver.cutter.newest == Epoch.time + MediaTime(188 * 1_024, timescale: 48_000))
    }

    /// A packager that joined later must write the same segments.
    @Test(arguments: [90_000, 1_000] as [Int64])
    func decodeTimesDependOnTimestampsAloneAndNotOnWhenTheFirstFrameCame(clock: Int64) {
        var first = Driver(configuration: Self.rate44)
        var second = Driver(configuration: Self.rate44)
        first.frames(0..<2_000, clock: clock)
        second.frames(0..<2_000, clock: clock)
        for end in stride(from: Int64(4_000), through: 40_000, by: 4_000) { first.cut(to: end) }
        second.boundary = Epoch.at(20_000)
        second.number = MediaSequenceNumber(Epoch.slot.value + 5)
        for end in stride(from: Int64(24_000), through: 40_000, by: 4_000) { second.cut(to: end) }
        #expect(second.cuts.map(\.decodeTime) == first.cuts.suffix(5).map(\.decodeTime))
        #expect(second.cuts.map(\.duration) == first.cuts.suffix(5).map(\.duration))
        #expect(
            second.cuts.map { $0.samples.map(\.duration) } == first.cuts.suffix(5).map { $0.samples.map(\.duration) }
        )
        for cut in first.cuts {
            #expect(cut.timescale == 44_100)
            #expect(cut.samples.dropLast().allSatisfy { $0.duration == 1_024 })
            #expect(cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration)
        }
        // A clock of milliseconds cannot show where a frame of 44.1 kHz begins; the last frame of a segment makes up for it.
        let lengths = Set(first.cuts.compactMap(\.samples.last?.duration))
        #expect(clock == 1_000 ? lengths.count > 1 : lengths == [1_024])
        #expect(lengths.allSatisfy { abs(Int($0) - 1_024) <= 45 })
        #expect(first.cutter.takeRepairs().isEmpty)
    }

    // MARK: Holes and overlaps

    @Test func aHoleWithinASlotIsFilledWithSilence() throws {
        var driver = Driver()
        driver.frames(0..<50)
        driver.frames(53..<189)
        let cut = driver.cut(to: 4_000)
        let silence = try #require(AudioSilence.frame(for: .aac(SyntheticTracks.audio)))
        #expect(cut.samples.count == 188)
        #expect(cut.samples.indices.filter { cut.samples[$0].payload == silence } == [50, 51, 52])
        #expect(cut.samples.allSatisfy { $0.duration == 1_024 })
        #expect(driver.cutter.takeRepairs() == [.silenceInserted])
    }

    @Test func aHoleAtTheEndIsFilledUpToTheBoundary() {
        var driver = Driver()
        driver.frames(0..<100)
        let cut = driver.cut(to: 4_000)
        #expect(cut.samples.count == 188)
        #expect(cut.duration == 188 * 1_024)
        #expect(driver.cutter.takeRepairs() == [.silenceInserted])
    }

    @Test func aHoleAtTheStartIsFilledFromTheEndOfTheSegmentBefore() {
        var driver = Driver()
        driver.frames(0..<189)
        driver.cut(to: 4_000)
        driver.cutter.discard(before: Epoch.at(6_000))
        driver.frames(282..<376)
        let cut = driver.cut(to: 8_000)
        #expect(cut.decodeTime == driver.cuts[0].decodeTime + 188 * 1_024)
        #expect(cut.samples.count == 187)
        #expect(driver.cutter.takeRepairs() == [.silenceInserted])
    }

    @Test func aSlotWithoutFramesIsAGapAndTimeGoesOn() {
        var driver = Driver()
        driver.frames(0..<188)
        driver.cut(to: 4_000)
        driver.cut(to: 8_000)
        driver.frames(375..<600)
        driver.cut(to: 12_000)
        #expect(driver.cuts.map(\.isGap) == [false, true, false])
        #expect(driver.cuts[1].configuration == nil)
        for (before, after) in zip(driver.cuts, driver.cuts.dropFirst()) {
            #expect(before.decodeTime + before.duration == after.decodeTime)
            #expect(before.end == after.start)
        }
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func framesThatOverlapAreDropped() {
        var driver = Driver()
        driver.frames(0..<50)
        driver.frames(48..<189)
        let cut = driver.cut(to: 4_000)
        #expect(cut.samples.count == 188 && cut.isWhole, "it lacks nothing")
        #expect(driver.cutter.takeRepairs() == [.overlappingAudio, .overlappingAudio])
    }

    @Test func lessThanHalfAFrameIsJitter() {
        var generator = SeededGenerator(seed: 8)
        var driver = Driver()
        driver.frames(0..<1)
        for index in 1..<188 as Range<Int64> {
            let exact = Epoch.time + MediaTime(index * 1_024, timescale: 48_000)
            driver.frame(at: exact + MediaTime(ticks: Int64.random(in: -900...900, using: &generator)))
        }
        driver.frames(188..<189)
        let cut = driver.cut(to: 4_000)
        #expect(cut.samples.count == 188)
        #expect(cut.samples.allSatisfy { $0.duration == 1_024 })
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    @Test func framesAreTakenInTheOrderOfTheirTimes() {
        var driver = Driver()
        driver.frames(0..<50)
        driver.frames(100..<189)
        driver.frames(50..<100)
        #expect(driver.cutter.newest == Epoch.time + MediaTime(188 * 1_024, timescale: 48_000))
        let cut = driver.cut(to: 4_000)
        #expect(cut.samples.count == 188)
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    /// The first frame behind the boundary begins where the last one before it has hardly begun.
    @Test func noFrameIsWithoutLength() {
        var driver = Driver()
        driver.frames(0..<187)
        // Cut at 3.99 s, 186.5 frames on; frames of another phase, almost half a frame early, follow from there on.
        driver.frame(at: Epoch.at(3_979))
        driver.frame(at: Epoch.at(3_989))
        for index in 0..<200 as Range<Int64> {
            driver.frame(at: Epoch.at(3_990) + MediaTime(index * 1_024, timescale: 48_000))
        }
        driver.cut(to: 3_990)
        driver.cut(to: 7_990)
        for cut in driver.cuts {
            #expect(cut.samples.allSatisfy { $0.duration >= 512 })
            #expect(cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration)
        }
        #expect(driver.cuts[0].decodeTime + driver.cuts[0].duration == driver.cuts[1].decodeTime)
    }

    @Test func aTrackThatMissedSlotsBeginsAnew() {
        var driver = Driver()
        driver.frames(0..<188)
        driver.cut(to: 4_000)
        driver.number = MediaSequenceNumber(Epoch.slot.value + 4)
        driver.boundary = Epoch.at(16_000)
        driver.frames(740..<1_000)
        let cut = driver.cut(to: 20_000)
        #expect(cut.decodeTime == Epoch.time.value(timescale: 48_000) + 750 * 1_024)
        #expect(cut.samples.count == 188)
        #expect(driver.cutter.takeRepairs().isEmpty)
    }

    /// The first frame may begin up to a frame behind the boundary, and a little more where timestamps jitter.
    @Test(arguments: [(0, true), (1_023, true), (1_400, true), (1_600, false), (96_000, false)] as [(Int64, Bool)])
    func aFirstSegmentIsWholeOnlyWithItsHead(missing: Int64, isWhole: Bool) {
        var driver = Driver()
        for index in 0..<200 as Range<Int64> {
            driver.frame(at: Epoch.time + MediaTime(missing + index * 1_024, timescale: 48_000))
        }
        #expect(driver.cut(to: 4_000).isWhole == isWhole)
        #expect(driver.cuts[0].decodeTime == Epoch.time.value(timescale: 48_000) + missing)
    }

    /// There is no silent frame for it, so the frame before lasts longer.
    @Test func aConfigurationThatCannotBeReadIsHeldInsteadOfSilenced() {
        var driver = Driver(configuration: Self.configuration(rate: 48_000, bytes: []))
        driver.frames(0..<50)
        driver.frames(53..<189)
        let cut = driver.cut(to: 4_000)
        #expect(cut.samples.count == 185)
        #expect(cut.samples[49].duration == 4 * 1_024)
        #expect(cut.duration == 188 * 1_024)
    }

    /// At the start of a segment, the first frame lasts through the hole: the frames after it are heard in time.
    @Test func aHoleAtTheStartWithoutSilenceShiftsNothing() {
        var driver = Driver(configuration: Self.configuration(rate: 48_000, bytes: []))
        driver.frames(0..<189)
        driver.cut(to: 4_000)
        driver.cutter.discard(before: Epoch.at(4_300))
        driver.frames(202..<376)
        let cut = driver.cut(to: 8_000)
        #expect(cut.decodeTime == driver.cuts[0].decodeTime + 188 * 1_024)
        #expect(cut.samples[0].duration == 15 * 1_024 as UInt32)
        #expect(cut.samples.dropFirst().dropLast().allSatisfy { $0.duration == 1_024 })
        #expect(cut.samples.reduce(0) { $0 + Int64($1.duration) } == cut.duration)
    }

    // MARK: Configuration

    @Test func aSegmentHasOneConfiguration() throws {
        var driver = Driver()
        driver.frames(0..<94)
        driver.configuration.channels = 1
        driver.configuration.audioSpecificConfig = [0x11, 0x88]
        driver.frames(94..<376)
        driver.cut(to: 4_000)
        driver.cut(to: 8_000)
        #expect(driver.cuts.map(\.configuration) == [.aac(SyntheticTracks.audio), .aac(driver.configuration)])
        #expect(driver.cuts.map(\.samples.count) == [188, 187])
        let silence = try #require(AudioSilence.frame(for: .aac(SyntheticTracks.audio)))
        #expect(driver.cuts[0].samples.count { $0.payload == silence } == 94)
        let repairs = driver.cutter.takeRepairs()
        #expect(repairs.count { $0 == .configurationChange } == 94)
        #expect(repairs.count { $0 == .silenceInserted } == 1)
    }

    @Test(arguments: [rate44, rate32])
    func aNewSampleRateIsANewTimescaleFromTheNextSlotOn(new: AACConfiguration) {
        var driver = Driver()
        driver.frames(0..<188)
        driver.configuration = new
        let rate = Int64(new.coreSampleRate)
        let first = (4_000 * rate / 1_000 + 1_023) / 1_024
        driver.frames(first..<(first + 400))
        driver.cut(to: 4_000)
        driver.cut(to: 8_000)
        driver.cut(to: 12_000)
        #expect(driver.cuts.map(\.timescale) == [48_000, rate, rate])
        for (before, after) in zip(driver.cuts, driver.cuts.dropFirst()) {
            let end = MediaTime(before.decodeTime + before.duration, timescale: before.timescale)
            let start = MediaTime(after.decodeTime, timescale: after.timescale)
            #expect(abs((end - start).ticks) <= 1)
            #expect(before.end == after.start)
            #expect(after.samples.reduce(0) { $0 + Int64($1.duration) } == after.duration)
        }
        #expect(driver.cuts[2].decodeTime % 1_024 == Epoch.time.value(timescale: rate) % 1_024)
    }

    // MARK: The end

    @Test func theLastSegmentEndsWithItsLastFrame() {
        var driver = Driver()
        driver.frames(0..<200)
        driver.cut(to: 4_000)
        let cut = driver.cut(to: nil)
        #expect(cut.samples.count == 12)
        #expect(cut.duration == 12 * 1_024)
    }
}
