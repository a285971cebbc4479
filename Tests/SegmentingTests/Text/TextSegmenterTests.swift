import Codecs
import MediaCore
import NIOCore
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Video, audio and text on a grid of four seconds; times are milliseconds from the epoch on.
@Suite struct TextSegmenterTests {
    private struct Driver {
        var segmenter: Segmenter
        let kinds: [MediaKind]
        /// Starts of cues, and how long they last.
        var cues: [Int64: Int64] = [:]
        var slots: [Slot] = []
        /// The times at which the slots were handed on.
        var times: [MediaTime] = []
        /// The starts of the cues of every slot; nil for a gap, or for nothing.
        var text: [[Int64]?] {
            slots.map { $0.segments.last??.cues?.map { ($0.start - Epoch.time).milliseconds } }
        }

        init(
            _ kinds: [MediaKind] = [.video, .audio, .text(.webVTT)],
            sourceCount: Int = 1,
            horizon: CommitHorizon = .slot,
            longestRun: Int = .max
        ) {
            segmenter = Segmenter(
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                failback: MediaTime(seconds: 8),
                horizon: horizon,
                longestRun: longestRun
            )
            self.kinds = kinds
            for kind in kinds { segmenter.addTrack(kind, sourceCount: sourceCount) }
        }

        /// A picture, a frame of audio and what cues there are every 400 ms, a key frame in two seconds.
        mutating func run(_ range: Range<Int64>, sources: [SourceRank] = [0]) {
            for time in stride(from: range.lowerBound, to: range.upperBound, by: 400) {
                for source in sources {
                    for track in kinds.indices { send(time, track, source) }
                }
                accept(segmenter.timeAdvanced(to: Epoch.at(time)), time)
            }
        }

        private mutating func send(_ time: Int64, _ track: Int, _ source: SourceRank) {
            switch kinds[track] {
            case .video:
                send(time, track, source, isSync: time % 2_000 == 0, .avc(SyntheticTracks.video))
            case .audio:
                send(time, track, source, isSync: true, length: 19_200, .aac(SyntheticTracks.audio))
            case .text:
                segmenter.inputReached(Epoch.at(time), track: TrackIndex(track), source: source, utcOffset: .zero)
                guard let length = cues[time] else { return }
                send(time, track, source, isSync: true, cue: MediaTime(milliseconds: length), .text(.webVTT))
            }
        }

        private mutating func send(
            _ time: Int64,
            _ track: Int,
            _ source: SourceRank,
            isSync: Bool,
            length: Int = 0,
            cue: MediaTime? = nil,
            _ configuration: CodecConfiguration
        ) {
            let sample = Sample(
                decodeTime: Epoch.at(time),
                presentationTime: Epoch.at(time),
                isSync: isSync,
                audioLength: length,
                cueDuration: cue,
                payload: ByteBuffer(bytes: [0])
            )
            let slots = segmenter.received(
                sample,
                track: TrackIndex(track),
                source: source,
                configuration: configuration,
                utcOffset: .zero,
                arrival: Epoch.at(time)
            )
            accept(slots, time)
        }

        mutating func accept(_ new: [Slot], _ time: Int64) {
            slots += new
            times += new.map { _ in Epoch.at(time) }
        }

        mutating func lose(source: SourceRank) {
            segmenter.inputRestarted(tracks: kinds.indices.map { TrackIndex($0) }, source: source)
        }
    }

    @Test(arguments: [CommitHorizon.slot, .part(duration: MediaTime(milliseconds: 800))])
    func nobodyWaitsForText(horizon: CommitHorizon) {
        var driver = Driver(horizon: horizon)
        var without = Driver([.video, .audio], horizon: horizon)
        driver.run(0..<3_600_000)
        without.run(0..<3_600_000)
        #expect(driver.times == without.times && driver.slots.count > 890)
        #expect(driver.text.allSatisfy { $0 == [] })
        #expect(driver.slots.allSatisfy { !$0.startsDiscontinuity && $0.segments.count == 3 })
        #expect(driver.segmenter.takeParts().allSatisfy { $0.track != 2 })
        let text = driver.slots.compactMap { $0.segments[2] }
        #expect(zip(text, text.dropFirst()).allSatisfy { $0.decodeTime + $0.duration == $1.decodeTime })
    }

    @Test func cuesAreCutWhereVideoIs() {
        var driver = Driver()
        driver.cues = [800: 400, 2_000: 9_000, 5_200: 400, 16_000: 400]
        driver.run(0..<24_000)
        #expect(driver.text == [[800, 2_000], [2_000, 5_200], [2_000], [], [16_000]])
    }

    @Test func aLostInputLeavesGaps() {
        var driver = Driver()
        driver.run(0..<13_200)
        driver.lose(source: 0)
        for time in stride(from: 13_200, to: 32_000, by: 400) as StrideTo<Int64> {
            driver.accept(driver.segmenter.timeAdvanced(to: Epoch.at(time)), time)
        }
        driver.run(32_000..<44_400)
        #expect(driver.text.prefix(3).allSatisfy { $0 == [] })
        #expect(driver.text[4..<7].allSatisfy { $0 == nil })
        #expect(driver.text.last == [])
        #expect(driver.slots.allSatisfy { $0.segments.allSatisfy { $0 != nil } })
    }

    @Test func aBackupTakesOver() {
        var driver = Driver(sourceCount: 2)
        driver.cues = [18_000: 6_000, 42_000: 1_000]
        driver.run(0..<18_400, sources: [0, 1])
        driver.lose(source: 0)
        driver.run(18_400..<30_000, sources: [1])
        driver.run(30_000..<60_400, sources: [0, 1])
        let sources = driver.slots.map { $0.sources[2] }
        #expect(sources.prefix(4) == [0, 0, 0, 0] && sources.contains(1) && sources.last == 0)
        #expect(driver.text.allSatisfy { $0 != nil })
        #expect(driver.text[4] == [18_000] && driver.text[5] == [18_000] && driver.text[6] == [])
        #expect(driver.text[10] == [42_000])
    }

    @Test func textAloneIsCutOnTheGrid() {
        var driver = Driver([.text(.imsc1)])
        driver.cues = [0: 5_000, 12_000: 400]
        driver.run(0..<30_000)
        #expect(driver.text.prefix(5) == [[0], [0], [], [12_000], []])
    }

    @Test(arguments: [[MediaKind.text(.imsc1), .audio], [.text(.imsc1), .audio, .video]])
    func textDoesNotLead(kinds: [MediaKind]) {
        var driver = Driver(kinds)
        let last = TrackIndex(kinds.count - 1)
        #expect(driver.segmenter.leader == last)
        driver.segmenter.setSources([], of: last)
        driver.segmenter.setSources([0], of: last)
        #expect(driver.segmenter.leader == last)
    }

    @Test func cuesHoldUpNoLeap() {
        var driver = Driver(longestRun: 3)
        driver.cues = [11_600: 1 << 40]
        driver.run(0..<12_400)
        driver.lose(source: 0)
        driver.accept(driver.segmenter.timeAdvanced(to: Epoch.at(1 << 36)), 1 << 36)
        #expect(driver.slots.count < 12)
        #expect(driver.slots.contains { $0.followsLeap })
    }
}
