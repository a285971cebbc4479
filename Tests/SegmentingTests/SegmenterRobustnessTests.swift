import ISOBMFF
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Slots follow each other, and each segment starts where the one before ended, whatever comes and in whatever order.
@Suite struct SegmenterRobustnessTests {
    private struct Rules {
        var last: Slot?
        var slotCount = 0
        var broken: [String] = []

        mutating func accept(_ slots: [Slot], _ grid: SegmentGrid) {
            for slot in slots {
                slotCount += 1
                if let last, slot.number != last.number.next { broken.append("\(slot.number) after \(last.number)") }
                for (track, segment) in slot.segments.enumerated() {
                    guard let segment else { continue }
                    check(segment, of: slot, after: last?.segments[track], grid)
                }
                last = slot
            }
        }

        private mutating func check(
            _ segment: CutSegment,
            of slot: Slot,
            after before: CutSegment?,
            _ grid: SegmentGrid
        ) {
            let place = "slot \(slot.number.value - Epoch.slot.value), \(segment.timescale) Hz"
            if segment.number != slot.number { broken.append("\(place): is segment \(segment.number)") }
            if segment.duration <= 0 { broken.append("\(place): lasts \(segment.duration)") }
            let seconds = Double(segment.duration) / Double(segment.timescale)
            if seconds.rounded() > Double(grid.targetDuration) { broken.append("\(place): lasts \(seconds) s") }
            if !segment.isGap {
                let sum = segment.samples.reduce(Int64(0)) { $0 + Int64($1.duration) }
                if sum != segment.duration { broken.append("\(place): samples last \(sum), not \(segment.duration)") }
                if segment.samples.contains(where: { $0.duration == 0 }) {
                    broken.append("\(place): a sample without length")
                }
            }
            guard let before, before.timescale == segment.timescale else { return }
            let end = before.decodeTime + before.duration
            if end != segment.decodeTime { broken.append("\(place): starts at \(segment.decodeTime), not \(end)") }
        }
    }

    @Test(arguments: 0..<40)
    func nothingBreaksTheSequence(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let grid = SegmentGrid(slotDuration: MediaTime(milliseconds: [1_000, 2_002, 4_000][seed % 3]))
        let kinds: [[MediaKind]] = [[.video, .audio], [.video, .video, .audio], [.audio, .audio], [.video]]
        let tracks = kinds[seed % 4]
        var segmenter = Segmenter(grid: grid)
        for kind in tracks { segmenter.addTrack(kind) }
        var rules = Rules()
        var now = Epoch.time + MediaTime(ticks: Int64.random(in: 0..<360_000, using: &generator))
        // Where each track is, relative to now; what is wild goes to and fro.
        var shift = tracks.map { _ in MediaTime.zero }
        var offset = MediaTime.zero
        var widths = tracks.map { _ in 640 }
        for _ in 0..<6_000 {
            now += MediaTime(ticks: Int64.random(in: 0...3_000, using: &generator))
            let track = Int.random(in: tracks.indices, using: &generator)
            switch Int.random(in: 0..<1_000, using: &generator) {
            case 0: shift[track] = MediaTime(milliseconds: Int64.random(in: -30_000...1_500, using: &generator))
            case 1: shift = shift.map { _ in .zero }
            case 2: now += MediaTime(milliseconds: Int64.random(in: 0...20_000, using: &generator))
            case 3: segmenter.inputRestarted(tracks: [TrackIndex(track)])
            case 4: widths[track] = Int.random(in: 1...2, using: &generator) * 640
            case 5: offset += MediaTime(ticks: Int64.random(in: -18...18, using: &generator))
            case 6..<200: rules.accept(segmenter.timeAdvanced(to: now), grid)
            default: break
            }
            let time = now + shift[track] + MediaTime(ticks: Int64.random(in: -2_000...2_000, using: &generator))
            let isVideo = tracks[track] == .video
            var video = SyntheticTracks.video
            video.picture.width = widths[track]
            let sample = Sample(
                decodeTime: time,
                presentationTime: time + MediaTime(ticks: isVideo ? Int64.random(in: 0...9_000, using: &generator) : 0),
                isSync: !isVideo || Int.random(in: 0..<60, using: &generator) == 0,
                payload: ByteBuffer(bytes: [1])
            )
            let slots = segmenter.received(
                sample,
                track: TrackIndex(track),
                configuration: isVideo ? .avc(video) : .aac(SyntheticTracks.audio),
                utcOffset: offset,
                arrival: now
            )
            rules.accept(slots, grid)
        }
        rules.accept(segmenter.ended(), grid)
        #expect(rules.broken == [])
        #expect(rules.slotCount > 10)
    }
}
