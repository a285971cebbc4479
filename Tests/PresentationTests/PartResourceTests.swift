import MediaCore
import NIOCore
import Playlists
import Synchronization
import Testing

@testable import Presentation

/// Parts as they are asked for by their paths.
@Suite struct PartResourceTests {
    private static func path(_ number: Int64, _ index: Int) -> String { "video-1080p/\(number).\(index).m4s" }

    @Test func aPathIsThatOfOnePart() {
        let path = PartPath("video-1080p", MediaSequenceNumber(12), 3)
        #expect(path.description == "video-1080p/12.3.m4s")
        #expect(PartPath("video-1080p/12.3.m4s") == path)
        #expect(RenditionID("video-1080p").partPath(path.position) == path.description)
        for other in [
            "video-1080p/12.m4s", "video-1080p/12.3.ts", "video-1080p/12.3.4.m4s", "video-1080p/012.3.m4s",
            "video-1080p/12.03.m4s", "video-1080p/+12.3.m4s", "video-1080p/-12.3.m4s", "video-1080p/12.-3.m4s",
            "12.3.m4s",
            "/12.3.m4s", "a/video-1080p/12.3.m4s", "video-1080p/12..m4s", "video-1080p/.3.m4s", "",
            "video-1080p/99999999999999999999.3.m4s", "video-1080p/12.99999999999999999999.m4s", "video-1080p.m3u8",
        ] {
            #expect(PartPath(other) == nil, "\(other)")
        }
    }

    @Test func theBytesStayTheSameWhenTheSegmentHasThem() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        let number = channel.nextNumber
        let memory = channel.presentation.memoryUse.bytes - channel.text("video-1080p.m3u8").utf8.count
        try channel.tell()
        let parts = try (0..<4).map { try #require(channel.resource(Self.path(number, $0)).resource) }
        #expect(parts.allSatisfy { $0.kind == .part && $0.contentType == "video/mp4" })
        try channel.publish()
        let after = try (0..<4).map { try #require(channel.resource(Self.path(number, $0)).resource) }
        #expect(after == parts)
        let segment = try #require(channel.resource("video-1080p/\(number).m4s").resource?.body.memory)
        var joined = ByteBuffer()
        for part in after { joined.writeImmutableBuffer(try part.body.read()) }
        #expect(joined == segment)
        // Both slots of both renditions, and no parts besides.
        let use = channel.presentation.memoryUse.bytes - channel.text("video-1080p.m3u8").utf8.count
        #expect(use - memory < 2_000 + 2_000)
        #expect(channel.presentation.served.timelines.values.allSatisfy { $0.parts.byteCount == 0 })
    }

    @Test func aPartOfASegmentThatIsStoredIsReadFromIt() throws {
        let store = MemoryStore()
        var channel = Channel.lowLatency(window: 80, store: store, keepsMediaInMemory: false)
        // The store is asked once it has taken everything.
        store.state.withLock { $0.answers = false }
        try channel.tellAndPublish(count: 12)
        let number = channel.nextNumber - 9
        channel.presentation.finish()
        store.state.withLock { $0.answers = true }
        try channel.tellAndPublish()
        let newest = try #require(channel.resource(Self.path(channel.nextNumber - 1, 2)).resource)
        #expect(newest.body.memory != nil, "players ask for it now")
        let part = try #require(channel.resource(Self.path(number, 2)).resource)
        #expect(part.body.memory == nil)
        #expect(try part.body.read() == .numbered(number, count: 250))
        #expect(try part.body.read(10..<20) == .numbered(number, count: 10))
        #expect(part.entityTag == ContentHash(of: .numbered(number, count: 250)).entityTag)
    }

    @Test func aPartIsServedForThreeTargetDurationsAfterItLeftThePlaylist() throws {
        var channel = Channel.lowLatency(window: 120)
        try channel.tellAndPublish()
        let number = channel.nextNumber - 1
        var (listed, served) = (0, 0)
        for _ in 0..<30 {
            let isServed = channel.resource(Self.path(number, 3)).resource != nil
            if try channel.playlist().segments.first?.parts.isEmpty == false { listed += 1 }
            if isServed { served += 1 } else { #expect(channel.resource(Self.path(number, 3)) == .notFound(.expired)) }
            try channel.tellAndPublish()
        }
        #expect(listed == 5)
        // 18 s are five slots.
        #expect((listed + 5...listed + 8).contains(served))
        #expect(channel.presentation.served.timelines.values.allSatisfy { $0.parts.slots.count < 16 })
    }

    @Test func whatIsNotThereIsNotThereForAReason() throws {
        var channel = Channel.lowLatency(window: 120)
        try channel.tellAndPublish(count: 30)
        let next = channel.nextNumber
        #expect(channel.resource(Self.path(next - 30, 0)) == .notFound(.expired))
        for (number, index) in [
            (next, 0), (next - 1, 4), (next - 1, .max), (next + 1, 0), (.max, 0), (Channel.firstNumber - 1, 0), (0, 0),
        ] as [(Int64, Int)] {
            #expect(channel.resource(Self.path(number, index)) == .notFound(.unknown), "\(number).\(index)")
        }
        #expect(channel.resource("radio/\(next - 1).0.m4s") == .notFound(.unknown))
        #expect(channel.resource("video-1080p/init-9.mp4") == .notFound(.unknown))
        let first = PlaylistPosition(MediaSequenceNumber(next), part: 0)
        #expect(channel.presentation.served.timelines[Channel.video]?.availability(of: first) == .awaited)
    }

    @Test func nothingOfPartsIsKnownWithoutLowLatency() throws {
        var channel = Channel()
        try channel.publish()
        #expect(throws: PartError.notListed(Channel.video)) {
            try channel.presentation.publish(Channel.part(channel.nextNumber, 0), of: Channel.video)
        }
        #expect(channel.resource(Self.path(channel.nextNumber, 0)) == .notFound(.unknown))
        #expect(!channel.text("video-1080p.m3u8").contains("PART"))
    }

    @Test func aPartThatIsToldAgainChangesNothing() throws {
        let log = StreamLog(.observes, interest: .part)
        var channel = Channel.lowLatency(consumers: [log])
        try channel.publish()
        let number = channel.nextNumber
        try channel.tell([Channel.video])
        let text = channel.text("video-1080p.m3u8")
        try channel.tell([Channel.video])
        #expect(channel.text("video-1080p.m3u8") == text)
        #expect(log.all.count == 4)
        for other in [Channel.part(number, 1, isGap: true), Channel.part(number, 5)] {
            let expected = PlaylistPosition(MediaSequenceNumber(number), part: 4)
            #expect(throws: PartError.outOfSequence(expected: expected, found: other.position)) {
                try channel.presentation.publish(other, of: Channel.video)
            }
        }
        try channel.publish()
        try channel.presentation.publish(Channel.part(number, 1), of: Channel.video)
        #expect(log.all.count == 4)
        #expect(throws: PartError.self) {
            try channel.presentation.publish(Channel.part(number, 1, isGap: true), of: Channel.video)
        }
    }

    /// Slots that never come whole take the memory of two.
    @Test func aFloodOfPartsIsRefused() throws {
        var channel = Channel.lowLatency()
        try channel.publish()
        let before = channel.presentation.memoryUse.bytes
        var refused = 0
        for slot in 0..<100 as Range<Int64> {
            for index in 0..<100 {
                do {
                    try channel.presentation.publish(Channel.part(channel.nextNumber + slot, index), of: Channel.video)
                } catch {
                    refused += 1
                }
            }
        }
        #expect(refused > 9_900)
        #expect(channel.presentation.memoryUse.bytes - before < 20_000)
        // The channel goes on.
        try channel.publish()
        try channel.publish()
        try channel.tell()
        #expect(try channel.playlist().openSegments.map(\.parts.count) == [4])
    }

    /// Parts come on a thread for each rendition, beside slots.
    @Test func partsOfAllRenditionsComeSideBySide() async throws {
        var channel = Channel.lowLatency(window: 40)
        try channel.publish()
        let presentation = channel.presentation
        for _ in 0..<30 {
            let number = channel.nextNumber
            try await withThrowingTaskGroup { group in
                for id in [Channel.video, Channel.audio] {
                    group.addTask {
                        for index in 0..<Channel.partCount {
                            let part = Channel.part(number, index, of: id)
                            try presentation.publish(part, of: id)
                            #expect(presentation.reload(id, at: part.position) == .ready)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try channel.publish()
            for id in [Channel.video, Channel.audio] {
                #expect(try channel.playlist(id).segments.last?.parts.count == 4)
                #expect(try channel.playlist(id).openSegments.isEmpty)
            }
        }
    }
}
