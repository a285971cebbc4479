import Dispatch
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing

/// The publications that consumers get of a channel, their order, and the cost of a slow one.
@Suite(.timeLimit(.minutes(5))) struct PublicationStreamTests {
    private let log = StreamLog(.observes)

    @Test func publicationsComeInTheirOrderAndPlaylistsFollowFromThoseBefore() throws {
        var channel = Channel(consumers: [log])
        try channel.publish(gaps: [Channel.video])
        try channel.publish(count: 2)
        channel.presentation.end(now: channel.now)
        #expect(
            log.words == [
                "window", "passed over 0", "slots 1", "playlists", "slots 2", "playlists", "playlists", "ended",
            ]
        )
    }

    @Test func aRunOfSlotsIsOnePublicationAndABridgeIsSaidToBeOne() throws {
        var channel = Channel(consumers: [log])
        try channel.publish(count: 1)
        #expect(try channel.presentation.bridge(to: MediaSequenceNumber(channel.nextNumber + 2), now: channel.now) == 2)
        #expect(log.words.suffix(2) == ["bridge 1,2", "playlists"])
    }

    @Test func oneRenderingIsOnePublicationOfPlaylists() throws {
        var channel = Channel(consumers: [log])
        try channel.presentation.renderOnce { try channel.publish(count: 3) }
        #expect(log.words == ["window", "slots 0", "slots 1", "slots 2", "playlists"])
    }

    /// A consumer that rebuilds the served resources from publications alone gets the same.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func whatIsServedFollowsFromPublications(seed: UInt64) throws {
        var feed = RandomFeed(seed: seed)
        let presentation = Presentation(configuration: feed.makePresentation().configuration, consumers: [log])
        presentation.declare(renditions: [.video, .audio])
        for _ in 0..<40 {
            try presentation.publish(feed.nextSlot(), now: feed.now)
            presentation.tick(now: feed.now)
        }
        var (bodies, playlists): ([String: ByteBuffer], [String: PlaylistsPublication.Playlist]) = ([:], [:])
        for publication in log.all {
            switch publication {
            case .slots(let slots):
                bodies.merge(slots.bodies) { old, _ in old }
                #expect(Set(slots.bodies.keys).isSubset(of: slots.files.map(\.path)))
            case .playlists(let newest): playlists = newest.playlists
            case .expired(let expired): for path in expired.paths { bodies[path] = nil }
            default: break
            }
        }
        for (path, bytes) in bodies {
            #expect(presentation.resource(path, now: .zero).resource?.body.memory == bytes, "\(path)")
        }
        #expect(Set(presentation.saved.files.map(\.path)).isSubset(of: bodies.keys))
        for (path, playlist) in playlists {
            #expect(presentation.resource(path, now: feed.now).resource?.body.memory == playlist.text)
            guard case .slots(let id, let numbers) = playlist.names else { continue }
            let text = try MediaPlaylist(parsing: String(buffer: playlist.text))
            #expect(text.mediaSequence == numbers.lowerBound && text.segments.count == numbers.count)
            #expect(text.segments.allSatisfy { $0.uri.hasPrefix("\(id)/") })
        }
        #expect(Set(playlists.keys) == ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"])
    }

    @Test func whatExpiresIsToldOnceNoPlaylistListsIt() throws {
        var channel = Channel(consumers: [log])
        try channel.publish(count: 30)
        let expired = log.all.flatMap { publication -> [Int64] in
            if case .expired(let expired) = publication { expired.slots.map(\.value) } else { [] }
        }
        #expect(!expired.isEmpty && expired == (0..<Int64(expired.count)).map { Channel.firstNumber + $0 })
        let paths = log.all.flatMap { publication -> [String] in
            if case .expired(let expired) = publication { expired.paths } else { [] }
        }
        #expect(paths.contains("video-1080p/\(Channel.firstNumber).m4s"))
        #expect(!paths.contains("video-1080p/init.mp4"), "others need it")
        for path in paths { #expect(channel.resource(path) == .notFound(.expired)) }
    }

    @Test func aRestoredWindowIsTheFirstThatIsPublished() throws {
        let recorder = Recorder()
        var earlier = Channel(consumers: [recorder])
        try earlier.publish(count: 4)
        let channel = Channel(consumers: [log])
        channel.presentation.restore(try #require(recorder.restored), now: earlier.now)
        #expect(log.words == ["window", "window ..3", "playlists"])
        guard case .window(let snapshot) = log.all[1] else { return }
        #expect(snapshot.end == earlier.now)
        #expect(snapshot.files.allSatisfy { snapshot.body($0.path)?.memory == recorder.restored?.bodies[$0.path] })
    }

    // MARK: Slow consumers

    /// Publishes slots on a thread of its own, where it may be held up.
    ///
    /// - Returns: True once they are published.
    private func publish(_ count: Int, in presentation: Presentation) -> @Sendable () -> Bool {
        let isDone = Flag()
        DispatchQueue.global().async {
            var channel = Channel(presentation)
            try? channel.publish(count: count)
            isDone.set()
        }
        return { isDone.isSet }
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    private func until(_ what: String, _ condition: @escaping @Sendable () -> Bool) async throws {
        _ = try await eventually(within: 60, what) { condition() ? true : nil }
    }

    @Test func aSlotIsWithOneThatPrecedesBeforeAnyoneSeesIt() async throws {
        let gate = Gate(isClosed: true)
        let journal = StreamLog(.precedes(within: .seconds(60)), interest: .slots) { _ in
            gate.pass()
            return .done
        }
        let presentation = Channel(consumers: [journal, log]).presentation
        let isDone = publish(1, in: presentation)
        try await until("the journal has the slot") { gate.waiting == 1 }
        #expect(!isDone() && log.words == ["window"] && presentation.lastNumber == nil)
        gate.open()
        try await until("it is published", isDone)
        #expect(log.words == ["window", "slots 0", "playlists"] && journal.pace == [.inTime])
    }

    private func held(by gate: Gate) -> StreamLog {
        StreamLog(.precedes(within: .seconds(60)), interest: .slots) { _ in
            gate.pass()
            return .done
        }
    }

    @Test func aSlotThatWasToldInPartsIsWithOneThatPrecedesAsWell() async throws {
        let gate = Gate()
        let journal = held(by: gate)
        var channel = Channel(partTarget: MediaTime(seconds: 100), consumers: [journal])
        try channel.publish()
        try channel.tell()
        gate.close()
        let (presentation, number) = (channel.presentation, channel.nextNumber)
        let isDone = Flag()
        DispatchQueue.global().async {
            var channel = Channel(presentation, next: number)
            try? channel.publish()
            isDone.set()
        }
        try await until("the journal has the slot") { gate.waiting == 1 }
        #expect(!isDone.isSet && presentation.lastNumber?.value == number - 1)
        gate.open()
        try await until("it is published") { isDone.isSet }
        #expect(presentation.lastNumber?.value == number && journal.pace == [.inTime, .inTime])
    }

    @Test func aPartIsWithOneThatPrecedesBeforeAnyoneSeesIt() async throws {
        let gate = Gate()
        let journal = StreamLog(.precedes(within: .seconds(60)), interest: .part) { _ in
            gate.pass()
            return .done
        }
        var channel = Channel(partTarget: MediaTime(seconds: 1_000), consumers: [journal, log])
        try channel.publish()
        gate.close()
        let (presentation, number) = (channel.presentation, channel.nextNumber)
        let isDone = Flag()
        DispatchQueue.global().async {
            try? Channel(presentation, next: number).tell()
            isDone.set()
        }
        try await until("the journal has a part") { gate.waiting == 1 }
        #expect(!isDone.isSet && log.all.allSatisfy { $0.kind != .part })
        gate.open()
        try await until("they are published") { isDone.isSet }
        #expect(log.all.contains { $0.kind == .part })
    }

    @Test func aPartWaitsForASixteenthOfItAtMost() throws {
        let gate = Gate(isClosed: true)
        defer { gate.open() }
        let journal = StreamLog(.precedes(within: .seconds(60)), interest: .part) { _ in
            gate.pass()
            return .done
        }
        var channel = Channel(partTarget: MediaTime(milliseconds: 20), consumers: [journal, log])
        try channel.publish()
        try channel.tell()
        #expect(log.all.contains { $0.kind == .part })
    }

    @Test func aSlotThatWasToldInPartsWaitsForHalfAPartAtMost() throws {
        let gate = Gate()
        defer { gate.open() }
        let journal = held(by: gate)
        var channel = Channel(partTarget: MediaTime(milliseconds: 20), consumers: [journal])
        try channel.publish()
        gate.close()
        try channel.tellAndPublish(count: 2)
        #expect(channel.presentation.lastNumber?.value == channel.nextNumber - 1)
        // It still has the one before.
        #expect(journal.pace == [.inTime, .inTime, .late])
    }

    @Test func oneThatFollowsHoldsUpNothingAndGetsAWindowForWhatItMissed() async throws {
        let gate = Gate(isClosed: true)
        let slow = StreamLog(.follows(backlog: 4), interest: [.window, .slots, .playlists]) { _ in
            gate.pass()
            return .done
        }
        var channel = Channel(consumers: [slow, log])
        // One whose thread has not begun yet would get more with its first call.
        try await until("it is held in its first call") { gate.waiting == 1 }
        try channel.publish(count: 20)
        #expect(log.words.contains("slots 19"))
        #expect(slow.pace.contains(.missed) && slow.pace.first == .inTime)
        gate.open()
        let missed = ["window", "slots 0", "playlists", "slots 1", "playlists", "window ..19"]
        try await until("it has a window") { slow.words.count >= missed.count }
        #expect(slow.words == missed)
        try channel.publish()
        try await until("it has the next slot") { slow.words.count >= missed.count + 2 }
        #expect(slow.words == missed + ["slots 20", "playlists"])
    }

    @Test func aStoredFeedWaitsForOneThatPacesIt() async throws {
        let isWell = Flag()
        let file = StreamLog(.paces) { _ in isWell.isSet ? .done : .blocked(retryAfter: .milliseconds(1)) }
        let presentation = Channel(consumers: [file, log]).presentation
        let isDone = publish(2, in: presentation)
        try await until("it is tried again") { file.calls.count >= 3 }
        #expect(log.words == ["window"] && !isDone())
        isWell.set()
        try await until("both slots are published", isDone)
        #expect(log.words.filter { $0.hasPrefix("slots") } == ["slots 0", "slots 1"])
    }

    @Test func whatFailedIsTriedAgainAndAtTheEndOnceMore() async throws {
        let failures = Mutex(2)
        let file = StreamLog(.follows(backlog: 9), interest: .slots) { _ in
            failures.withLock { failures in
                failures -= 1
                return failures >= 0 ? .again(after: .milliseconds(1)) : .done
            }
        }
        var channel = Channel(consumers: [file])
        try channel.publish()
        try await until("it has succeeded") { file.calls.count >= 3 }
        channel.presentation.finish()
        #expect(file.calls == [1, 0, 0, 0])
    }

    @Test func afterItsEndNoConsumerGetsAnything() async throws {
        let file = StreamLog(.follows(backlog: 9), interest: .slots)
        var channel = Channel(consumers: [file])
        try channel.publish()
        try await until("it has the slot") { file.words == ["slots 0"] }
        channel.presentation.close()
        try channel.publish()
        channel.presentation.finish()
        #expect(file.words == ["slots 0"])
    }

    @Test func thoseThatPrecedeTakeASlotSideBySide() async throws {
        let gate = Gate(isClosed: true)
        let journals = (0..<2).map { _ in
            StreamLog(.precedes(within: .seconds(60)), interest: .slots) { _ in
                gate.pass()
                return .done
            }
        }
        let isDone = publish(1, in: Channel(consumers: journals).presentation)
        try await until("both have it") { gate.waiting == 2 }
        gate.open()
        try await until("it is published", isDone)
        #expect(journals.map(\.pace) == [[.inTime], [.inTime]])
    }
}
