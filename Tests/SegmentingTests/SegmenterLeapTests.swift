import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Long runs of slots that have nothing are not made one by one.
@Suite struct SegmenterLeapTests {
    private static let grid = SegmentGrid(slotDuration: MediaTime(seconds: 4))

    /// A segmenter that has been fed 20 s.
    private static func segmenter(_ kinds: [MediaKind], longestRun: Int, sourceCount: Int = 1) -> Segmenter {
        var segmenter = Segmenter(grid: grid, longestRun: longestRun)
        for kind in kinds { segmenter.addTrack(kind, sourceCount: sourceCount) }
        feed(&segmenter, kinds, from: 0, to: 20_000)
        return segmenter
    }

    @discardableResult
    private static func feed(
        _ segmenter: inout Segmenter,
        _ kinds: [MediaKind],
        from: Int64,
        to: Int64,
        source: SourceRank = 0
    ) -> [Slot] {
        var slots: [Slot] = []
        for time in stride(from: from, to: to, by: 40) {
            for (track, kind) in kinds.enumerated() {
                slots += segmenter.received(
                    Sample(
                        decodeTime: Epoch.at(time),
                        presentationTime: Epoch.at(time),
                        isSync: kind == .audio || time % 1_000 == 0,
                        audioLength: kind == .audio ? 1_920 : 0,
                        payload: ByteBuffer(bytes: [1])
                    ),
                    track: TrackIndex(track),
                    source: source,
                    configuration: kind == .audio ? .aac(SyntheticTracks.audio) : .avc(SyntheticTracks.video),
                    utcOffset: .zero,
                    arrival: nil
                )
            }
        }
        return slots
    }

    static let week: Int64 = 7 * 86_400_000

    /// The list in the end is the one that there would be had each slot been made.
    @Test(arguments: [[.video, .audio], [.audio], [.video]] as [[MediaKind]])
    func theLastOfARunAreWhatTheyWouldHaveBeen(kinds: [MediaKind]) {
        var patient = Self.segmenter(kinds, longestRun: .max)
        var leaping = Self.segmenter(kinds, longestRun: 12)
        let all = patient.timeAdvanced(to: Epoch.at(600_000)) + patient.timeAdvanced(to: Epoch.at(620_000))
        let some = leaping.timeAdvanced(to: Epoch.at(600_000)) + leaping.timeAdvanced(to: Epoch.at(620_000))
        #expect(all.count > 140)
        #expect(some.count < 30)
        #expect(some.count(where: \.followsLeap) == 1)
        #expect(all.suffix(12).map(\.lines) == some.suffix(12).map(\.lines))
        let (allOn, someOn) = (
            Self.feed(&patient, kinds, from: 620_000, to: 660_000),
            Self.feed(&leaping, kinds, from: 620_000, to: 660_000)
        )
        #expect(allOn.count >= 8)
        #expect(allOn.map(\.lines) == someOn.map(\.lines))
    }

    /// One timestamp that is wrong by years is a leap, and time continues there.
    @Test(.timeLimit(.minutes(5)), arguments: [[.video, .audio], [.audio], [.video]] as [[MediaKind]])
    func aRunOfYearsTakesNoTime(kinds: [MediaKind]) {
        var segmenter = Self.segmenter(kinds, longestRun: 12)
        let years = 100 * 365 * Int64(86_400_000)
        var slots = Self.feed(&segmenter, kinds, from: years, to: years + 20_000)
        slots += segmenter.timeAdvanced(to: Epoch.at(years + 20_000))
        slots += segmenter.ended()
        #expect(slots.count < 40)
        #expect(slots.last.map { !$0.segments.contains { $0?.isGap ?? true } } == true)
        // Another one where a slot before the run waited for its audio at the first.
        #expect(1...2 ~= slots.count(where: \.followsLeap))
        for (one, next) in zip(slots, slots.dropFirst()) where !next.followsLeap {
            #expect(next.number == one.number.next)
        }
    }

    @Test func whatABackupHasInARunIsNotLeaptOver() {
        var segmenter = Self.segmenter([.video], longestRun: 12, sourceCount: 2)
        _ = segmenter.timeAdvanced(to: Epoch.at(30_000))
        Self.feed(&segmenter, [.video], from: 400_000, to: 420_000, source: 1)
        let slots = segmenter.timeAdvanced(to: Epoch.at(Self.week))
        let media = slots.filter { $0.segments[0]?.isGap == false }.map { $0.number.value - Epoch.slot.value }
        #expect(media.count >= 4)
        #expect(media.allSatisfy { (100...105).contains($0) })
    }

    /// A segment that came too late is handed on no more, so that a leap need not spare it.
    @Test func whatCameTooLateHoldsUpNoLeap() throws {
        var segmenter = Segmenter(grid: Self.grid, longestRun: 12)
        for kind in [.video, .audio] as [MediaKind] { segmenter.addTrack(kind) }
        let slots = Self.feed(&segmenter, [.video, .audio], from: 0, to: 20_000)
        _ = segmenter.timeAdvanced(to: Epoch.at(60_000))
        let late = try #require(slots.first?.segments[0])
        segmenter.tracks[0].store(late, from: 0)
        Self.feed(&segmenter, [.video, .audio], from: Self.week, to: Self.week + 8_000)
        #expect(segmenter.timeAdvanced(to: Epoch.at(Self.week)).count < 60)
    }

    /// A live feed whose time jumps again and again within one second gets no more fillers than one that jumps once.
    @Test(arguments: [1, 12]) func fillersOfALiveFeedAreBoundedOverManyJumps(jumps: Int64) {
        var segmenter = Segmenter(grid: Self.grid, filler: .hold, longestRun: 12)
        segmenter.addTrack(.video)
        let picture = ByteBuffer(repeating: 1, count: 4 << 20)
        var (filled, time) = (0, Int64(0))
        func receive(_ time: Int64, arrival: Int64) {
            let slots = segmenter.received(
                Sample(
                    decodeTime: Epoch.at(time),
                    presentationTime: Epoch.at(time),
                    isSync: true,
                    payload: picture
                ),
                track: 0,
                configuration: .avc(SyntheticTracks.video),
                utcOffset: .zero,
                arrival: Epoch.at(arrival)
            )
            let fillers = slots.compactMap { $0.segments[0] }.filter { $0.filler != nil }
            filled += fillers.reduce(0) { $0 + $1.samples.reduce(0) { $0 + $1.payload.readableBytes } }
        }
        for second in 0..<12 as Range<Int64> {
            time = second * 1_000
            receive(time, arrival: time)
        }
        let arrival = time
        for jump in 1...jumps {
            time += 40_000
            for step in 0..<10 as Range<Int64> {
                time += 1_000
                receive(time, arrival: arrival + jump * 10 + step)
            }
        }
        // One segment more, because what is there does not reach the bound.
        #expect(filled > 48 << 20 && filled <= 64 << 20 + 2 * 4 * (4 << 20), "\(filled >> 20) MB")
    }

    /// A feed jumps before the stream has started, and ends: slots, dates and durations agree, whatever was given up.
    @Test func whatComesAfterAJumpIsDatedAsItsSlot() {
        var segmenter = Segmenter(grid: Self.grid, longestRun: 5)
        for kind in [.video, .audio] as [MediaKind] { segmenter.addTrack(kind) }
        var slots = Self.feed(&segmenter, [.video], from: 0, to: 8_000)
        slots += Self.feed(&segmenter, [.video, .audio], from: 60_000, to: 74_000)
        slots += segmenter.ended()
        #expect(slots.last?.segments.allSatisfy { $0?.isGap == false } == true)
        let slack = MediaTime(milliseconds: 50)
        for (index, slot) in slots.enumerated() {
            for (track, segment) in slot.segments.enumerated() {
                guard let segment else { continue }
                let distance = segment.start.utc - Self.grid.start(of: slot.number)
                #expect(abs(distance.ticks) <= (Self.grid.tolerance + slack).ticks, "\(slot.number) track \(track)")
                #expect(MediaTime(segment.duration, timescale: segment.timescale) > slack)
                guard index > 0, !slot.followsLeap, let before = slots[index - 1].segments[track] else { continue }
                let end = before.start.utc + MediaTime(before.duration, timescale: before.timescale)
                #expect(abs((segment.start.utc - end).ticks) <= slack.ticks, "\(slot.number) track \(track)")
            }
        }
    }
}

extension Slot {
    /// The values of each segment that playlists are made of.
    fileprivate var lines: [String] {
        segments.map { segment in
            guard let segment else { return "none" }
            return
                "\(number) \(segment.isGap) \(segment.start) \(segment.end) \(segment.decodeTime) \(segment.duration) "
                + "\(segment.samples.count) \(startsDiscontinuity)"
        }
    }
}
