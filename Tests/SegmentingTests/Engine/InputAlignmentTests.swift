import MediaCore
import NIOCore
import Testing
import Timeline

@testable import Segmenting

/// The shifts that an input and its backup take from what is known of their delays.
@Suite struct InputAlignmentTests {
    private static let start = EngineRun.start

    /// The backup comes two seconds later, and was three seconds late for another process.
    @Test func anInheritedShiftStaysUntilTheDelayIsMeasured() {
        var alignment = InputAlignment()
        let correction = MediaTime(milliseconds: 5)
        alignment.inherit(shift: MediaTime(seconds: -3), correction: correction, of: .backup)
        #expect(alignment.shift(of: .backup, isOtherOnAir: false) == MediaTime(seconds: -3))
        #expect(alignment.shift(of: .primary, isOtherOnAir: true) == .zero)
        #expect(alignment.correction(at: Self.start) == correction)
        for number in Int64(0)..<20 {
            let time = MediaTime(milliseconds: 40 * number)
            for (side, delay) in [(.primary, 0), (.backup, 2)] as [(OffsetMeter.Side, Int64)] {
                let arrival = Self.start + time + MediaTime(seconds: delay)
                let picture = OffsetMeter.Picture(
                    fingerprint: ContentHash(of: ByteBuffer(integer: number)),
                    timestamp: time.ticks,
                    utc: arrival
                )
                _ = alignment.received(picture, from: side, at: arrival)
            }
        }
        #expect(alignment.shift(of: .backup, isOtherOnAir: false) == MediaTime(seconds: -2))
    }

    /// UTC has been slewed since the first input came: it does not jump when the other one comes.
    @Test func theCorrectionIsThatOfTheFirstInput() {
        var alignment = InputAlignment()
        let correction = MediaTime(milliseconds: 900)
        alignment.inherit(shift: .zero, correction: correction, of: .backup)
        _ = alignment.correction(at: Self.start)
        let slewed = alignment.correction(at: Self.start + MediaTime(seconds: 1_000))
        #expect(slewed < correction)
        alignment.inherit(shift: MediaTime(milliseconds: -900), correction: correction, of: .primary)
        #expect(alignment.correction(at: Self.start + MediaTime(seconds: 1_000)) == slewed)
        #expect(alignment.shift(of: .primary, isOtherOnAir: false) == MediaTime(milliseconds: -900))
    }
}
