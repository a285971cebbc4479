import MediaCore
import TestSupport
import Testing
import Timeline

@testable import Segmenting

/// Members of a pair begin slots with the same sources, though packets take up to 100 ms longer to one than to the other.
@Suite struct EnginePartSourceTests {
    /// The end of the first part of the third slot, at which frames of audio cannot be read.
    private static let hole = EngineRun.start + MediaTime(milliseconds: 17_600)

    /// After the second frame the input counts as silent when its next packet is about to come.
    @Test(arguments: 1...6)
    func unreadableFramesAreTheSameForBoth(count: Int64) {
        let last = Self.hole + MediaTime(milliseconds: 400) * (count - 1)
        let members = (0..<8 as Range<UInt64>).map { seed in
            Self.sources(seed: seed) { packet in
                guard packet.time >= Self.hole, packet.time <= last, packet.packet.info.trackIndex == 1 else { return }
                packet.packet.content = .unreadable(isSync: false, unsupported: nil)
            }
        }
        #expect(Set(members) == [[0, 0, 0, 0, 0]])
    }

    /// A frame that is missing in the first part shows as well.
    @Test func aSlotIsBegunWithTheSourceThatHasAllOfIt() {
        let frame = Self.hole - MediaTime(milliseconds: 800)
        let members = (0..<8 as Range<UInt64>).map { seed in
            Self.sources(seed: seed) { packet in
                guard packet.time == frame, packet.packet.info.trackIndex == 1 else { return }
                packet.packet.content = .unreadable(isSync: false, unsupported: nil)
            }
        }
        #expect(Set(members) == [[0, 0, 1, 1, 1]])
    }

    /// A packet with the time of its media.
    private struct TimedPacket {
        var packet: ReadPacket
        var time: MediaTime
    }

    /// Runs a member for five slots.
    ///
    /// - Parameters:
    ///   - seed: Decides how long packets take to that member.
    ///   - change: Changes packets of the preferred input.
    /// - Returns: The sources of audio, slot by slot.
    private static func sources(seed: UInt64, _ change: (inout TimedPacket) -> Void) -> [SourceRank?] {
        var generator = SeededGenerator(seed: seed)
        var engine = ChannelEngine(
            configuration: EngineRun.configuration(.pts, .part(duration: EngineRun.partDuration))
        )
        var encoders = [
            EngineEncoder(.input(0), latency: MediaTime(milliseconds: 120), from: EngineRun.start),
            EngineEncoder(.backup(0, inputCount: 1), latency: MediaTime(milliseconds: 300), from: EngineRun.start),
        ]
        var sources: [SourceRank?] = []
        func hear(_ steps: [EngineRun.Step]) {
            for step in steps {
                let actions = engine.handle(step.event, at: ClockReading(utc: step.at, wallClock: step.at))
                for case .publish(let slots) in actions {
                    sources += slots.map { $0.segments.last?.contents.cut.selection?.active }
                }
            }
        }
        let start = EngineRun.start
        hear(encoders.map { EngineRun.Step(event: .added($0.input, .live), at: start) })
        for encoder in encoders {
            let (input, tracks) = (encoder.input, encoder.tracks)
            hear([EngineRun.Step(event: .opened(input, tracks), at: start)])
            hear([EngineRun.Step(event: .began(input, tracks, timestampModulus: EngineEncoder.modulus), at: start)])
        }
        for second in 1...42 as ClosedRange<Int64> {
            let now = start + MediaTime(seconds: second)
            var steps: [EngineRun.Step] = []
            for index in encoders.indices {
                let delay = MediaTime(milliseconds: Bool.random(using: &generator) ? 99 : 0)
                let (input, latency) = (encoders[index].input, encoders[index].latency)
                for made in encoders[index].packets(until: now - latency) {
                    var packet = TimedPacket(packet: made.packet, time: made.arrival - latency)
                    if index == 0 { change(&packet) }
                    steps.append(EngineRun.Step(event: .packet(input, packet.packet), at: made.arrival + delay))
                }
            }
            hear(steps.sorted(by: { $0.at < $1.at }) + [EngineRun.Step(event: .timeAdvanced([]), at: now)])
        }
        return Array(sources.prefix(5))
    }
}
