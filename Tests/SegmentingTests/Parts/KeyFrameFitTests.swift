import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import Testing

@testable import Segmenting

/// Key frames that begin parts or do not, in slots of four seconds with 25 pictures a second.
@Suite struct KeyFrameFitTests {
    private static let slotDuration = MediaTime(seconds: 4)
    private static let picture: Int64 = 3_600

    /// A slot whose pictures are key frames where the closure says so, as one piece.
    private static func slot(_ index: Int64, isSync: (Int) -> Bool) -> CutSegment {
        let samples = (0..<100).map { index in
            FragmentSample(duration: UInt32(picture), isSync: isSync(index), payload: ByteBuffer())
        }
        let begin = MediaTime(ticks: (448_750_000 + index) * slotDuration.ticks)
        return CutSegment(
            number: MediaSequenceNumber(448_750_000 + index),
            start: Boundary(media: begin, utcOffset: .zero),
            end: Boundary(media: begin + slotDuration, utcOffset: .zero),
            timescale: MediaTime.timescale,
            decodeTime: begin.ticks,
            duration: slotDuration.ticks,
            samples: samples,
            configuration: .avc(SyntheticTracks.video)
        )
    }

    /// Lets a channel publish some slots in parts.
    private static func findings(
        target: Int64,
        slots: Range<Int64> = 0..<10,
        in fit: inout KeyFrameFit,
        isSync: (Int) -> Bool
    ) -> [KeyFrameFit.Mismatch] {
        let target = MediaTime(milliseconds: target)
        return slots.flatMap { index in
            slot(index, isSync: isSync).parts(atMost: target).enumerated().compactMap { number, cut in
                fit.observe(SlotPart(track: 0, index: number, cut: cut), target: target, slotDuration: slotDuration)
            }
        }
    }

    /// A change of inputs leaves key frames where no part begins.
    @Test func theValueThatIsSetIsNotProposed() {
        var fit = KeyFrameFit()
        let found = Self.findings(target: 1_000, in: &fit) { $0 % 25 == 12 }
        #expect(found.allSatisfy { $0.partDuration != MediaTime(seconds: 1) })
    }

    @Test(
        arguments: [
            // Parts begin with them, or end before them since they are long enough.
            (50, 1_000, nil), (50, 400, nil), (50, 2_000, nil), (25, 1_000, nil), (25, 2_000, nil), (50, 1_080, nil),
            (100, 750, nil),
            // There are no more than two pictures before them.
            (50, 500, nil), (25, 500, nil), (50, 300, nil),
            // There are more.
            (50, 750, 1_000), (50, 600, 400), (50, 250, 200), (25, 250, 200), (25, 1_500, 1_000), (20, 500, 400),
        ] as [(Int, Int64, Int64?)]
    )
    func thePartDurationThatFitsIsFound(group: Int, target: Int64, fitting: Int64?) {
        var fit = KeyFrameFit()
        let findings = Self.findings(target: target, in: &fit) { $0.isMultiple(of: group) }
        let expected: [MediaTime?] = fitting.map { [MediaTime(milliseconds: $0)] } ?? []
        #expect(findings.map(\.partDuration) == expected)
        for finding in findings { #expect(finding.distance == MediaTime(ticks: Int64(group) * Self.picture)) }
    }

    @Test func whatHasNoRhythmIsNotJudged() {
        var fit = KeyFrameFit()
        let uneven = Self.findings(target: 750, in: &fit) { [0, 10, 30, 60].contains($0) }
        #expect(uneven.isEmpty)
        // Where all pictures are key frames, players begin with any.
        let all = Self.findings(target: 750, slots: 20..<40, in: &fit) { _ in true }
        #expect(all.isEmpty)
    }

    @Test func anotherRhythmIsJudgedAnew() {
        var fit = KeyFrameFit()
        let first = Self.findings(target: 750, slots: 0..<10, in: &fit) { $0.isMultiple(of: 50) }
        let same = Self.findings(target: 750, slots: 10..<20, in: &fit) { $0.isMultiple(of: 50) }
        let other = Self.findings(target: 750, slots: 20..<30, in: &fit) { $0.isMultiple(of: 20) }
        #expect([first.count, same.count, other.count] == [1, 0, 1])
    }
}
