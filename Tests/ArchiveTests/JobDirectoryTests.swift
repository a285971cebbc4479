import Files
import Glibc
import MediaCore
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// The files of a job, whose playlists nobody follows.
@Suite struct JobDirectoryTests {
    /// Hands what is published to the directory at once, on the thread that publishes.
    private final class Relay: PublicationConsumer {
        let name = "relay"
        let policy = ConsumerPolicy.observes
        let interest: Publication.Kinds
        private let mirror: DirectoryMirror
        private let result = Mutex(ConsumerResult.done)

        init(_ mirror: DirectoryMirror) {
            (self.mirror, interest) = (mirror, mirror.interest)
        }

        var last: ConsumerResult { result.withLock { $0 } }

        func take(_ batch: [Publication]) -> ConsumerResult {
            let outcome = mirror.take(batch)
            result.withLock { $0 = outcome }
            return .done
        }
    }

    /// A time that goes by when a test wants it to.
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(by duration: Duration) { time.withLock { $0 += duration } }
    }

    private let disk: MemoryFileSystem
    private let clock: Clock
    private let mirror: DirectoryMirror
    private let relay: Relay

    init() throws {
        let clock = Clock()
        self.clock = clock
        disk = MemoryFileSystem()
        mirror = try DirectoryMirror(
            directory: "out",
            waits: true,
            isFollowed: false,
            fileSystem: disk,
            clock: { clock.now }
        ) { _ in }
        relay = Relay(mirror)
    }

    /// The files as text, by their paths below the directory.
    private var files: [String: String] {
        let files = disk.files.map { ($0.key.replacing("out/./", with: ""), String(decoding: $0.value, as: UTF8.self)) }
        return Dictionary(uniqueKeysWithValues: files)
    }

    private func lists(_ number: Int64) -> Bool { files["video-1080p.m3u8"]?.contains("/\(number).m4s") == true }

    private func publish(_ count: Int, _ feed: inout Feed) throws {
        for _ in 0..<count { try feed.publish(gaps: []) }
    }

    @Test func playlistsAreWrittenWithEveryFourthSlot() throws {
        var feed = Feed(nil, consumers: [relay])
        try publish(1, &feed)
        let first = try #require(files["video-1080p.m3u8"])
        try publish(3, &feed)
        #expect(files["video-1080p.m3u8"] == first)
        #expect(files["video-1080p/\(feed.number - 1).m4s"] != nil, "what is new is written nonetheless")
        #expect(relay.last == .again(after: .seconds(1)))
        try publish(1, &feed)
        #expect(lists(feed.number - 1) && relay.last == .done)
        try publish(40, &feed)
        #expect(lists(feed.number - 1))
        #expect(files["video-1080p/\(Feed.firstNumber).m4s"] == nil)
    }

    @Test func playlistsAreWrittenOnceASecondAndAtTheEnd() throws {
        var feed = Feed(nil, consumers: [relay])
        try publish(2, &feed)
        #expect(!lists(feed.number - 1))
        clock.advance(by: .seconds(1))
        try publish(1, &feed)
        #expect(lists(feed.number - 1))
        try publish(2, &feed)
        #expect(!lists(feed.number - 1))
        feed.presentation.end(now: feed.now)
        #expect(lists(feed.number - 1) && files["video-1080p.m3u8"]?.hasSuffix("#EXT-X-ENDLIST\n") == true)
        #expect(relay.last == .done && !mirror.isIncomplete)
    }

    /// A feed may pause, and the process may be told to end.
    @Test func aTurnWithoutPublicationsLeavesNothingForLater() throws {
        var feed = Feed(nil, consumers: [relay])
        try publish(10, &feed)
        #expect(!lists(feed.number - 1))
        #expect(mirror.take([]) == .done)
        #expect(lists(feed.number - 1) && !mirror.isIncomplete)
    }

    @Test func newFilesAreWrittenWhereTheyStayAndOthersReplacedAsAWhole() throws {
        let period = Feed.firstNumber / 3
        let left = "out/./video-1080p/init-\(period).mp4"
        let disk = MemoryFileSystem([left: [1]])
        let mirror = try DirectoryMirror(directory: "out", waits: true, isFollowed: false, fileSystem: disk) { _ in }
        disk.state.withLock { $0.created = [] }
        var feed = Feed(nil, consumers: [Relay(mirror)])
        try publish(1, &feed)
        feed.presentation.end(now: feed.now)
        let media = disk.files.keys.filter { !$0.hasSuffix(".m3u8") }
        #expect(media.count == 4)
        #expect(disk.state.withLock { $0.created } == Set(media).subtracting([left]))
        #expect(disk.files[left] == Array("video-1080p init-\(period).mp4".utf8))
    }

    @Test func segmentsThatViewersGotAreRemovedAndOthersReused() throws {
        var feed = Feed(nil, consumers: [relay])
        try publish(1, &feed)
        let sent = "video-1080p/\(Feed.firstNumber).m4s"
        _ = mirror.place(of: 0..<1, in: sent)
        try publish(40, &feed)
        #expect(files[sent] == nil)
        let reused = disk.state.withLock { $0.reused }
        #expect(!reused.contains("out/./\(sent)") && reused.contains("out/./audio-en/\(Feed.firstNumber).m4s"))
        #expect(reused.count > 30)
        // At the end, nothing is left that is not served.
        _ = mirror.take([])
        #expect(!mirror.isIncomplete)
        for path in files.keys {
            guard case .found = feed.presentation.resource(path, now: feed.now) else {
                Issue.record("\(path) is not served")
                continue
            }
        }
    }

    /// Slots may expire once the feed has ended, and nothing comes after them.
    @Test func nothingIsKeptToBeReusedOnceTheFeedHasEnded() throws {
        var feed = Feed(nil, consumers: [relay])
        try publish(40, &feed)
        feed.presentation.end(now: feed.now)
        #expect(!mirror.isIncomplete && relay.last == .done)
        let count = files.count
        feed.presentation.tick(now: feed.now + MediaTime(seconds: 3_600))
        #expect(files.count < count, "\(count) files are still there")
        #expect(!mirror.isIncomplete)
    }

    /// Players of a live channel may still read an expired segment.
    @Test func segmentsThatPlayersFollowAreNotReused() throws {
        let mirror = try DirectoryMirror(directory: "out", waits: true, fileSystem: disk) { _ in }
        var feed = Feed(nil, consumers: [Relay(mirror)])
        try publish(40, &feed)
        #expect(disk.state.withLock { $0.reused.isEmpty } && files["audio-en/\(Feed.firstNumber).m4s"] == nil)
    }

    /// Somebody may ask for a segment before a playlist names it.
    @Test func filesThatPlayersFollowAppearAsAWhole() throws {
        let mirror = try DirectoryMirror(directory: "out", waits: true, fileSystem: disk) { _ in }
        disk.state.withLock { $0.created = [] }
        var feed = Feed(nil, consumers: [Relay(mirror)])
        try publish(10, &feed)
        #expect(files["video-1080p/\(feed.number - 1).m4s"] != nil)
        #expect(disk.state.withLock { $0.created } == [])
    }

    @Test func keysThatPlaylistsNameStayWithThem() throws {
        let (first, second) = (String(repeating: "0a", count: 16), String(repeating: "1b", count: 16))
        let current = Mutex(first)
        let keys = try KeyFiles(directory: "keys", waits: true, fileSystem: disk) { _ in }
        keys.take {
            let name = current.withLock { $0 }
            return KeyFiles.Keys([name: ByteBuffer(bytes: [1])])
        }
        let mirror = try DirectoryMirror(
            directory: "out",
            waits: true,
            isFollowed: false,
            keys: keys,
            fileSystem: disk,
            clock: { [clock] in clock.now }
        ) { _ in }
        var feed = Feed(nil, consumers: [Relay(mirror)])
        try publish(1, &feed)
        current.withLock { $0 = second }
        try publish(3, &feed)
        #expect(files["keys/./\(first)"] != nil && files["keys/./\(second)"] == nil)
        _ = mirror.take([])
        #expect(files["keys/./\(first)"] == nil && files["keys/./\(second)"] != nil)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func noPlaylistNamesWhatIsMissingWhateverTheDiskDoes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var feed = Feed(nil, seed: seed, consumers: [relay])
        for _ in 0..<60 {
            let state = Int.random(in: 0..<6, using: &generator)
            let used = disk.files.values.reduce(0) { $0 + $1.count }
            disk.state.withLock { disk in
                disk.failure = state == 0 ? EIO : nil
                disk.capacity = state == 1 ? used : state == 2 ? used + 60 : .max
            }
            clock.advance(by: .milliseconds(Int.random(in: 0..<300, using: &generator)))
            try feed.publish()
            if case .again = relay.last, Bool.random(using: &generator) { _ = mirror.take([]) }
            let missing = missingFiles(in: files)
            #expect(missing.isEmpty, "\(missing) are named and not there")
        }
        disk.state.withLock { ($0.failure, $0.capacity) = (nil, .max) }
        feed.presentation.end(now: feed.now)
        #expect(missingFiles(in: files).isEmpty)
        #expect(mirror.health.isHealthy && !mirror.isIncomplete)
        for (path, text) in files {
            guard case .found(let resource) = feed.presentation.resource(path, now: feed.now) else {
                Issue.record("\(path) is not served")
                continue
            }
            #expect(try resource.body.read() == ByteBuffer(string: text), "\(path)")
        }
    }
}
