import MediaCore
import NIOCore
import Playlists
import Testing
import Timeline

@testable import Segmenting

/// ID3 tags of a channel without parts.
struct EngineTagTests {
    private static func texts(of id: RenditionID, _ slots: [ChannelEngine.SlotDecision]) -> [[String]] {
        slots.map { slot in
            let contents = slot.segments.first { $0.id == id }?.contents
            return (contents?.tags ?? []).map { String(buffer: $0.bytes) }
        }
    }

    private static func channel(_ clock: ClockSource) -> PartChannel {
        PartChannel { configuration in
            configuration.horizon = .slot
            configuration.clock = clock
        }
    }

    /// A tag of the end of a segment that comes behind the key frame of the next one: it is late, but not lost.
    @Test(arguments: [23.96, 16.5])
    func aTagThatIsLateIsInTheNextSegment(time: Double) {
        var channel = Self.channel(.pts)
        channel.run(until: 21)
        channel.tag("in time", at: 22)
        channel.run(until: 26)
        let count = channel.slots.count
        channel.tag("late", at: time)
        // What is late by more than a slot is no longer of use.
        channel.tag("too late", at: 8)
        channel.tag("in time", at: 22)
        channel.run(until: 60)
        for id in PartChannel.ids {
            #expect(Self.texts(of: id, Array(channel.slots[..<count])).last == ["in time"])
            #expect(Self.texts(of: id, Array(channel.slots[count...])).first == ["late"])
            #expect(Self.texts(of: id, channel.slots).joined().count == 2)
        }
    }

    /// A feed that comes again has its place only after a while: its tags wait for that with its media, within bounds.
    @Test func tagsOfAFeedThatSettlesAreKept() {
        var channel = Self.channel(.arrival)
        channel.run(until: 34)
        channel.reconnect()
        channel.tag("first", at: 34.2)
        for index in 0..<200 { channel.tag("flood \(index)", at: 34.4) }
        channel.tag("last", at: 34.6)
        channel.run(until: 60)
        for id in PartChannel.ids {
            let texts = Self.texts(of: id, channel.slots).joined()
            #expect(texts.count == 64 && texts.contains("last") && !texts.contains("first"), "\(texts.count)")
        }
    }
}
