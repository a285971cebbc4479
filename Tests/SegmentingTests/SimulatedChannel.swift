import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing

@testable import Segmenting
@testable import Timeline

/// A channel on a manual clock: synthetic packets in, slots out, every rule of the grid checked on the way.
struct SimulatedChannel {
    let grid: SegmentGrid
    var timeline: InputTimeline
    var clocks = ArrivalClocks()
    var segmenter: Segmenter
    var now = MediaTime.zero
    private(set) var slots: [Slot] = []
    private(set) var slotCount = 0
    private(set) var gapCount = 0
    /// The publication of each slot.
    private(set) var publications: [(slot: MediaSequenceNumber, isGap: Bool, at: MediaTime)] = []
    private(set) var forcedCuts = 0
    private(set) var discontinuities = 0
    private(set) var repairs: [TimelineRepair: Int] = [:]
    var keepsSlots = true
    var videoConfiguration = SyntheticTracks.video
    private var last: Slot?
    private var held: [(SyntheticFeed.Packet, SampleTimes)] = []
    private var lastTick = MediaTime.zero
    private static let payload = ByteBuffer(bytes: [0, 0, 0, 1, 0x65])

    init(
        slotDuration: MediaTime = MediaTime(seconds: 4),
        source: ClockSource = .arrival,
        pace: InputPace = .live,
        hasAudio: Bool = true,
        start: MediaTime
    ) {
        grid = SegmentGrid(slotDuration: slotDuration)
        timeline = InputTimeline(source: source, pace: pace, grid: grid)
        segmenter = Segmenter(grid: grid)
        segmenter.addTrack(.video)
        if hasAudio { segmenter.addTrack(.audio) }
        now = start
        timeline.opened(timestampModulus: 1 << 33, now: start)
    }

    mutating func reopen() {
        timeline.opened(timestampModulus: 1 << 33, now: now)
        segmenter.inputRestarted(tracks: [0, 1])
        held = []
    }

    mutating func receive(_ packet: SyntheticFeed.Packet) {
        advance(to: packet.arrival)
        let isLeader = packet.info.trackIndex == 0
        let reception = timeline.received(
            packet.info,
            canAnchor: isLeader && packet.isSync,
            arrival: packet.arrival,
            clocks: &clocks
        )
        for repair in timeline.takeRepairs() { repairs[repair, default: 0] += 1 }
        switch reception {
        case .dropped: break
        case .placed(let times): deliver(packet, times)
        case .held(let times):
            held.append((packet, times))
            guard timeline.isAnchored else { return }
            for (packet, times) in held {
                guard let placed = timeline.place(times, arrival: packet.arrival) else { continue }
                deliver(packet, placed)
            }
            held = []
        }
    }

    mutating func advance(to time: MediaTime) {
        now = max(now, time)
        guard now - lastTick >= MediaTime(milliseconds: 200) else { return }
        lastTick = now
        accept(segmenter.timeAdvanced(to: now))
    }

    mutating func end() {
        accept(segmenter.ended())
    }

    private mutating func deliver(_ packet: SyntheticFeed.Packet, _ times: SampleTimes) {
        let sample = Sample(
            decodeTime: times.decode,
            presentationTime: times.presentation,
            isSync: packet.isSync,
            payload: Self.payload
        )
        accept(
            segmenter.received(
                sample,
                track: TrackIndex(packet.info.trackIndex.value),
                configuration: packet.info.trackIndex == 0 ? .avc(videoConfiguration) : .aac(SyntheticTracks.audio),
                utcOffset: timeline.utcOffset,
                arrival: packet.arrival
            )
        )
    }

    private mutating func accept(_ new: [Slot]) {
        if new.isEmpty { return }
        for found in segmenter.takeRepairs() where found.repair == .forcedCut { forcedCuts += 1 }
        for slot in new {
            check(slot)
            last = slot
            slotCount += 1
            if slot.startsDiscontinuity { discontinuities += 1 }
            if slot.segments.contains(where: { $0?.isGap ?? false }) { gapCount += 1 }
            if keepsSlots {
                slots.append(slot)
                publications.append((slot.number, slot.segments.allSatisfy { $0?.isGap ?? true }, now))
            }
        }
    }

    /// The rules that no feed may break.
    private func check(_ slot: Slot) {
        if let last { expect(slot.number == last.number.next, "numbers neither skip nor repeat") }
        if timeline.source == .arrival, timeline.pace == .live {
            expect(grid.start(of: slot.number) <= now, "nothing is published more than a slot too early")
        }
        for (track, segment) in slot.segments.enumerated() {
            guard let segment else { continue }
            let edge = grid.start(of: slot.number)
            let slack = grid.tolerance + MediaTime(milliseconds: 100)
            expect(abs((segment.start.utc - edge).ticks) <= slack.ticks, "a segment starts within D/2 of its slot")
            let seconds = Double(segment.duration) / Double(segment.timescale)
            expect(segment.duration > 0, "a segment lasts")
            expect(seconds.rounded() <= Double(grid.targetDuration), "no EXTINF above the target duration")
            if !segment.isGap {
                let sum = segment.samples.reduce(Int64(0)) { $0 + Int64($1.duration) }
                expect(sum == segment.duration, "samples fill the segment")
            }
            guard let before = last?.segments[track] else { continue }
            expect(
                before.timescale != segment.timescale || before.decodeTime + before.duration == segment.decodeTime,
                "media time runs on"
            )
            let expected = before.start.utc + MediaTime(before.duration, timescale: before.timescale)
            let error = abs((segment.start.utc - expected).ticks)
            // Slewing moves PDT by up to 2000 ppm.
            expect(
                error <= max(90, MediaTime(before.duration, timescale: before.timescale).ticks / 500 + 2),
                "PDT and EXTINF agree to less than a frame: \(error) ticks"
            )
            let media = MediaTime(segment.decodeTime, timescale: segment.timescale)
            expect(abs((media - segment.start.media).ticks) <= 1, "media time is the boundary's")
        }
        // Audio starts within a frame of video.
        if slot.segments.count > 1, let video = slot.segments[0], let audio = slot.segments[1] {
            let skew = abs((audio.start.utc - video.start.utc).ticks)
            expect(skew <= 2 * 1920 + 90, "renditions are cut at the same place: \(skew) ticks")
        }
    }

    /// Like #expect, at a fraction of its cost.
    private func expect(_ condition: Bool, _ rule: @autoclosure () -> String) {
        if !condition { Issue.record("\(rule()) (slot \(slotCount))") }
    }
}
