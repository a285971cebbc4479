import MediaCore
import Operations
import Playlists
import Testing

@testable import Segmenting

/// An engine and segments that could not be written.
@Suite struct EngineWritingTests {
    private static func channel() -> EncodedChannel {
        EncodedChannel([EngineEncoder(.input(0), latency: MediaTime(milliseconds: 200), from: EngineRun.start)])
    }

    /// Returns the kinds of the events of a failure.
    private static func kinds(_ actions: [ChannelEngine.Action]) -> [ChannelEvent.Kind] {
        actions.compactMap { if case .report(.record(let event)) = $0 { event.kind } else { nil } }
    }

    private static func fail(
        _ segment: ChannelEngine.SlotDecision.Segment,
        in slot: MediaSequenceNumber,
        of channel: inout EncodedChannel
    ) -> [ChannelEvent.Kind] {
        let event = ChannelEngine.Event.notWritten(segment.id, slot, segment.fallback, reason: "the disk is full")
        return kinds(channel.engine.handle(event, at: ClockReading(utc: channel.now, wallClock: channel.now)))
    }

    @Test func whatViewersHaveIsAGap() throws {
        var channel = Self.channel()
        channel.go(on: 60)
        let slot = try #require(channel.slots.last)
        #expect(slot.segments.count == 2 && slot.renditions.count == 2)
        #expect(slot.segments.allSatisfy { $0.fallback == .gap })
        #expect(Self.fail(slot.segments[1], in: slot.number, of: &channel) == [.gap])
        channel.go(on: 8)
        let next = try #require(channel.slots.last)
        #expect(next.segments.count == 2 && next.segments.allSatisfy { $0.fallback == .gap })
    }

    @Test func whatCouldNeverBeWrittenIsLeftOut() throws {
        var channel = Self.channel()
        var told: [[ChannelEvent.Kind]] = []
        var failed: MediaSequenceNumber?
        for _ in 0..<40 where told.count < 3 {
            channel.go(on: 2)
            guard let slot = channel.slots.last, slot.number != failed, slot.segments.count == 2,
                slot.segments.allSatisfy({ !$0.contents.isGap })
            else { continue }
            #expect(slot.segments[1].fallback == .nothing)
            told.append(Self.fail(slot.segments[1], in: slot.number, of: &channel))
            failed = slot.number
        }
        #expect(told == [[.gap, .inputProblem], [.gap], [.gap]])
        channel.go(on: 16)
        #expect(channel.slots.last?.segments.map(\.fallback) == [.gap, .gap])
    }
}
