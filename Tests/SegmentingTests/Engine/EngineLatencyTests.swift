import MediaCore
import Playlists
import Testing
import Timeline

@testable import Segmenting

/// Feeds whose pictures come long after their time, as from an encoder in the cloud.
@Suite struct EngineLatencyTests {
    private struct Run {
        var engine: ChannelEngine
        var encoder: EngineEncoder
        var packets: [EngineEncoder.Packet] = []
        var now = EngineRun.start
        private(set) var slots: [ChannelEngine.SlotDecision] = []
        private(set) var declared: [RenditionDescription] = []

        init(latency: Int64, after event: ChannelEngine.Event? = nil, at start: MediaTime = EngineRun.start) {
            var configuration = EngineRun.configuration(.pts, .slot)
            configuration.backupCount = 0
            configuration.cryptoPeriods = nil
            engine = ChannelEngine(configuration: configuration)
            encoder = EngineEncoder(.input(0), latency: MediaTime(seconds: latency), from: start)
            now = start
            if let event { handle(event) }
            handle(.added(encoder.input, .live))
            handle(.opened(encoder.input, encoder.tracks))
            handle(.began(encoder.input, encoder.tracks, timestampModulus: EngineEncoder.modulus))
        }

        private mutating func handle(_ event: ChannelEngine.Event) {
            for action in engine.handle(event, at: ClockReading(utc: now, wallClock: now)) {
                switch action {
                case .declare(let renditions, _): declared = renditions
                case .publish(let slots): self.slots += slots
                default: break
                }
            }
        }

        mutating func go(on seconds: Int64) {
            let end = now + MediaTime(seconds: seconds)
            while now < end {
                now = now + MediaTime(milliseconds: 200)
                packets += encoder.packets(until: now)
                packets.sort { $0.arrival < $1.arrival }
                while let packet = packets.first, packet.arrival <= now {
                    packets.removeFirst()
                    handle(.packet(encoder.input, packet.packet))
                }
                handle(.timeAdvanced([]))
            }
        }

        /// The newest slots, as viewers have them.
        var newest: PublishedWindow? {
            slots.last.map { slot in
                let edges = slot.segments.map { segment in
                    let cut = segment.contents.cut
                    let end = cut.end.media.value(timescale: cut.timescale)
                    let edge = PublishedWindow.Edge(
                        start: cut.start.utc,
                        end: end,
                        timescale: cut.timescale,
                        isGap: cut.isGap
                    )
                    return (segment.id, edge)
                }
                return PublishedWindow(
                    newest: slot.number,
                    renditions: declared,
                    edges: Dictionary(uniqueKeysWithValues: edges),
                    expires: nil
                )
            }
        }

        var gaps: [Bool] { slots.map { $0.segments.contains { $0.contents.cut.isGap } } }
    }

    @Test(arguments: [0, 5, 20, 45] as [Int64]) func whoIsStartedAnewHasMediaAgain(latency: Int64) throws {
        var before = Run(latency: latency)
        before.go(on: 100)
        #expect(before.gaps.count >= 3 && !before.gaps.contains(true))
        let window = try #require(before.newest)
        var after = Run(latency: latency, after: .resumed(window), at: before.now + MediaTime(seconds: 5))
        after.go(on: 200)
        #expect(after.gaps.count >= 10)
        #expect(after.gaps.suffix(5).allSatisfy { !$0 }, "\(after.gaps)")
    }

    /// Behind an encoder that comes back with a longer way.
    @Test func whatComesLaterFromNowOnIsWaitedFor() {
        var run = Run(latency: 1)
        run.go(on: 60)
        run.encoder.latency = MediaTime(seconds: 30)
        run.go(on: 240)
        #expect(run.gaps.count >= 25)
        #expect(run.gaps.contains(true))
        #expect(run.gaps.suffix(10).allSatisfy { !$0 }, "\(run.gaps)")
    }
}
