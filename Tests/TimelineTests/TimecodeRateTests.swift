import MediaCore
import Testing

@testable import Timeline

@Suite struct TimecodeRateTests {
    /// Rate, whether labels are dropped, and frames of a day.
    static let days: [(Ratio, Bool, Int64)] = [
        (.film, false, 2_073_600), (Ratio(24, 1), false, 2_073_600), (Ratio(25, 1), false, 2_160_000),
        (.ntsc, false, 2_592_000), (.ntsc, true, 2_589_408), (Ratio(30, 1), false, 2_592_000),
        (Ratio(50, 1), false, 4_320_000), (.ntscDouble, false, 5_184_000), (.ntscDouble, true, 5_178_816),
        (Ratio(60, 1), false, 5_184_000),
    ]

    /// The labels of a day one by one: the next one is the next frame, and what is left out is no label.
    @Test(arguments: days)
    func labelsOfADayAreItsFramesOneByOne(ratio: Ratio, isDropFrame: Bool, expected: Int64) throws {
        let rate = try #require(TimecodeRate(ratio))
        let last = Int(rate.framesPerSecond) - 1
        var next: Int64 = 0
        var wrong: [Timecode] = []
        for second in 0..<86_400 {
            let (minute, isFirst) = (second / 60, second % 60 == 0)
            let dropped = isDropFrame && isFirst && minute % 10 != 0 ? (last == 59 ? 4 : 2) : 0
            // Seconds differ in their first labels only; within them frames count on.
            for frames in isFirst ? Array(0...last) : [second % (last + 1)] {
                let label = try #require(
                    Timecode(
                        hours: minute / 60,
                        minutes: minute % 60,
                        seconds: second % 60,
                        frames: frames,
                        isDropFrame: isDropFrame
                    )
                )
                let found = rate.frame(at: label)
                if found != (frames < dropped ? nil : next + Int64(frames - dropped)) { wrong.append(label) }
            }
            next += Int64(last + 1 - dropped)
        }
        #expect(wrong.isEmpty)
        #expect(next == expected)
    }

    /// Frames all over a day have their time to the tick, and are the nearest to it, a quarter of a frame around.
    @Test(arguments: days)
    func timesOfADayLeadBackToTheirFrames(ratio: Ratio, isDropFrame: Bool, frames: Int64) throws {
        let rate = try #require(TimecodeRate(ratio))
        let quarter = 90_000 * Int64(ratio.denominator) / Int64(ratio.numerator) / 4 - 1
        let unit = Int64(ratio.denominator) * 90_000
        var wrong: [Int64] = []
        for frame in stride(from: 0, to: frames, by: 397) {
            let time = rate.time(ofHalfFrames: frame * 2)
            let exact = frame * unit
            let rounded = (exact * 2 + Int64(ratio.numerator)) / (Int64(ratio.numerator) * 2)
            let isRight =
                time.ticks == rounded
                && rate.isExact(halfFrames: frame * 2) == (exact % Int64(ratio.numerator) == 0)
                && [0, quarter, -quarter].allSatisfy {
                    rate.halfFrames(nearestTo: time + MediaTime(ticks: $0)) == frame * 2
                }
            if !isRight { wrong.append(frame) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 0, isDropFrame: true), Ratio.ntsc),
        (Timecode(hours: 23, minutes: 59, seconds: 0, frames: 1, isDropFrame: true), .ntsc),
        (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 3, isDropFrame: true), .ntscDouble),
        (Timecode(hours: 0, minutes: 0, seconds: 0, frames: 30, isDropFrame: true), .ntsc),
        (Timecode(hours: 0, minutes: 0, seconds: 0, frames: 25), Ratio(25, 1)),
    ])
    func whatIsNoLabelOfTheRateHasNoFrame(label: Timecode?, ratio: Ratio) throws {
        let rate = try #require(TimecodeRate(ratio))
        #expect(rate.frame(at: try #require(label)) == nil)
    }

    @Test(
        arguments: [
            (Timecode(hours: 0, minutes: 10, seconds: 0, frames: 0, isDropFrame: true), Ratio.ntsc, 17_982),
            (Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, isDropFrame: true), .ntsc, 107_892),
            (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 2, isDropFrame: true), .ntsc, 1_800),
            (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 4, isDropFrame: true), .ntscDouble, 3_600),
            // Dropping is for 29.97 and 59.94 alone, whatever a stream says.
            (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 0, isDropFrame: true), Ratio(25, 1), 1_500),
            (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 0, isDropFrame: true), Ratio(30, 1), 1_800),
            (Timecode(hours: 0, minutes: 1, seconds: 0, frames: 0, isDropFrame: true), .film, 1_440),
        ] as [(Timecode?, Ratio, Int64)]
    )
    func knownLabels(label: Timecode?, ratio: Ratio, frame: Int64) throws {
        let rate = try #require(TimecodeRate(ratio))
        #expect(rate.frame(at: try #require(label)) == frame)
    }

    @Test(
        arguments: [
            (Ratio(25, 1), 25, false), (Ratio(50, 2), 25, false), (.ntsc, 30, true), (Ratio(2997, 100), 30, true),
            (Ratio(2_997_003, 100_000), 30, true), (Ratio(23_976, 1000), 24, true), (Ratio(5994, 100), 60, true),
            (Ratio(48_000, 1001), 48, true), (Ratio(120, 1), 120, false), (Ratio(30, 1), 30, false),
        ] as [(Ratio, Int64, Bool)]
    )
    func ratesAreKnownHoweverTheyAreWritten(ratio: Ratio, framesPerSecond: Int64, isFractional: Bool) throws {
        let rate = try #require(TimecodeRate(ratio))
        #expect(rate.framesPerSecond == framesPerSecond)
        #expect(rate.isFractional == isFractional)
    }

    @Test(arguments: [Ratio(25, 2), Ratio(2999, 100), Ratio(1, 2), Ratio(0, 1), Ratio(25, 0), Ratio(90_000, 1)])
    func otherRatesHaveNoTimecode(ratio: Ratio) {
        #expect(TimecodeRate(ratio) == nil)
    }
}
