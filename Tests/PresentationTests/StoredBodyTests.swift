import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import Testing

/// Windows that are longer than memory.
@Suite struct StoredBodyTests {
    private static let hours = MediaTime(seconds: 7200)
    private static let byteCounts = [Channel.video: 9_000, Channel.audio: 1_000]

    /// Publishes slots, and renders playlists once after the last of them.
    private func publish(_ count: Int, in channel: inout Channel) throws {
        let presentation = channel.presentation
        try presentation.renderOnce {
            for _ in 0..<count { try channel.publish(byteCounts: Self.byteCounts) }
        }
    }

    /// Every listed byte, as it was published.
    private func expectAllServed(_ channel: Channel) throws {
        for id in [Channel.video, Channel.audio] {
            for segment in try channel.playlist(id).segments {
                let number = try #require(Int64(segment.uri.split(separator: "/")[1].dropLast(4)))
                let body = try #require(channel.resource(segment.uri).resource?.body).read()
                #expect(body == .numbered(number, count: Self.byteCounts[id] ?? 0))
            }
        }
    }

    @Test func aWindowOfHoursIsServedFromFarLessMemory() throws {
        let store = MemoryStore()
        var channel = Channel(window: Self.hours, maximumBytes: 2_000_000, store: store)
        for _ in 0..<80 {
            try publish(50, in: &channel)
            #expect(channel.presentation.memoryUse.bytes <= 2_000_000)
            #expect(channel.presentation.memoryUse.shortage == nil)
        }
        #expect(try channel.playlist().segments.count == 1_800)
        try expectAllServed(channel)
        #expect(channel.presentation.snapshot().totals.droppedEarly == 0)
        // Segments that have left the playlist are served as long as ever, and then nothing keeps them.
        let (retained, gone) = (Channel.firstNumber + 2_100, Channel.firstNumber + 300)
        let body = try #require(channel.resource("video-1080p/\(retained).m4s").resource?.body)
        #expect(try body.read(10..<20) == .numbered(retained, count: 10))
        #expect(body.memory == nil && body.byteCount == 9_000)
        #expect(channel.resource("video-1080p/\(gone).m4s") == .notFound(.expired))
        #expect(store.state.withLock { $0.bodies["video-1080p/\(gone).m4s"] } == nil)
        #expect(store.state.withLock { $0.bodies.count } < 2 * 3_700)
        let newest = "video-1080p/\(channel.nextNumber - 6).m4s"
        #expect(channel.resource(newest).resource?.body.memory != nil)
    }

    @Test func whatTheStoreLacksStaysInMemory() throws {
        let store = MemoryStore()
        var channel = Channel(window: Self.hours, maximumBytes: 2_000_000, store: store)
        for _ in 0..<20 {
            store.state.withLock { $0.takes = false }
            try publish(1, in: &channel)
            store.state.withLock { $0.takes = true }
            try publish(49, in: &channel)
        }
        #expect(try channel.playlist().segments.count == 1_000)
        #expect(channel.presentation.memoryUse.shortage == nil)
        try expectAllServed(channel)
        #expect(channel.resource("video-1080p/\(Channel.firstNumber + 50).m4s").resource?.body.memory != nil)
        #expect(channel.resource("video-1080p/\(Channel.firstNumber + 51).m4s").resource?.body.memory == nil)
    }

    @Test(arguments: [true, false]) func aStoreThatFailsShortensTheWindowAndSaysSo(isSilent: Bool) throws {
        let store = MemoryStore()
        var channel = Channel(window: Self.hours, maximumBytes: 2_000_000, store: store)
        try publish(500, in: &channel)
        #expect(channel.presentation.memoryUse.shortage == nil)
        store.state.withLock { state in
            if isSilent { state.answers = false } else { state.takes = false }
        }
        for _ in 0..<30 {
            try publish(10, in: &channel)
            #expect(channel.presentation.memoryUse.bytes <= 2_000_000)
        }
        #expect(channel.presentation.memoryUse.shortage == .window)
        #expect((100...200).contains(try channel.playlist().segments.count))
        try expectAllServed(channel)
        store.state.withLock { ($0.answers, $0.takes) = (true, true) }
        for _ in 0..<20 { try publish(100, in: &channel) }
        #expect(try channel.playlist().segments.count == 1_800)
        #expect(channel.presentation.memoryUse.shortage == nil)
        try expectAllServed(channel)
    }

    /// A job with a window: what is written is served from there, whether it is listed or retained.
    @Test func noMediaNeedBeInMemory() throws {
        let store = MemoryStore()
        var channel = Channel(store: store, keepsMediaInMemory: false)
        for _ in 0..<40 {
            try publish(1, in: &channel)
            let segments = channel.presentation.saved.files.filter { $0.path.hasSuffix(".m4s") }
            #expect(segments.allSatisfy { channel.resource($0.path).resource?.body.memory == nil })
        }
        try expectAllServed(channel)
        let retained = "video-1080p/\(channel.nextNumber - 8).m4s"
        #expect(try channel.resource(retained).resource?.body.read().readableBytes == 9_000)
        #expect(channel.resource("video-1080p/\(Channel.firstNumber).m4s") == .notFound(.expired))
        #expect(channel.presentation.memoryUse.shortage == nil)
        // What the store does not have stays, and goes once it has it.
        store.state.withLock { $0.answers = false }
        try publish(2, in: &channel)
        let newest = "video-1080p/\(channel.nextNumber - 1).m4s"
        #expect(channel.resource(newest).resource?.body.memory != nil)
        store.state.withLock { $0.answers = true }
        try publish(1, in: &channel)
        #expect(channel.resource(newest).resource?.body.memory == nil)
    }

    @Test func partsOfTheOpenSlotCountAsWell() throws {
        var channel = Channel(partTarget: MediaTime(seconds: 1))
        try channel.publish()
        let before = channel.presentation.memoryUse.bytes
        let text = channel.text("video-1080p.m3u8").utf8.count
        let part = PublishedPart(
            number: MediaSequenceNumber(channel.nextNumber),
            index: 0,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: true,
            content: .media(ByteBuffer(repeating: 1, count: 500))
        )
        try channel.presentation.publish(part, of: Channel.video)
        #expect(
            channel.presentation.memoryUse.bytes == before + 500 + channel.text("video-1080p.m3u8").utf8.count - text
        )
    }

    @Test func aRestoredWindowNeedNotBeRead() throws {
        let store = MemoryStore()
        var channel = Channel(window: Self.hours, maximumBytes: 2_000_000, store: store)
        try publish(1_000, in: &channel)
        let window = channel.presentation.saved
        let all = store.state.withLock { $0.bodies }
        let newest = window.files.filter { $0.lastNumber.value >= channel.nextNumber - 50 }.map(\.path)
        var successor = Channel(
            first: channel.nextNumber,
            window: Self.hours,
            maximumBytes: 2_000_000,
            store: store
        )
        let restored = RestoredWindow(
            window: window,
            bodies: all.filter { newest.contains($0.key) },
            stored: all.filter { !newest.contains($0.key) }.mapValues(\.readableBytes)
        )
        #expect(successor.presentation.restore(restored, now: channel.now) == 1_000)
        #expect(successor.text("video-1080p.m3u8") == channel.text("video-1080p.m3u8"))
        #expect(successor.presentation.memoryUse.bytes < 1_000_000)
        for _ in 0..<10 { try publish(100, in: &successor) }
        #expect(try successor.playlist().segments.count == 1_800)
        #expect(successor.presentation.memoryUse.bytes <= 2_000_000)
        try expectAllServed(successor)
    }
}
