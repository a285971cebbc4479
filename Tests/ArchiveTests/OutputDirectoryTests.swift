import Files
import Glibc
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Archive

/// The files of a channel whose disk fails, is full or stands still.
@Suite struct OutputDirectoryTests {
    /// Looks at the directory before each write, as a web server would see it.
    private final class Watch: Sendable {
        private let disk = Mutex<MemoryFileSystem?>(nil)

        func look(at disk: MemoryFileSystem) { self.disk.withLock { $0 = disk } }

        func check() {
            guard let files = disk.withLock({ $0?.files }) else { return }
            let missing = OutputDirectoryTests.missing(in: files)
            #expect(missing.isEmpty, "\(missing) are named and not there")
        }
    }

    private static let prefix = "out/./"

    /// The files that playlists name and that are not there.
    private static func missing(in files: [String: [UInt8]]) -> Set<String> {
        let texts = files.map { (String($0.key.dropFirst(prefix.count)), String(decoding: $0.value, as: UTF8.self)) }
        return missingFiles(in: Dictionary(texts) { first, _ in first })
    }

    /// Checks that the directory has exactly what is served.
    private static func expectEqual(_ disk: MemoryFileSystem, _ feed: Feed) throws {
        let files = disk.files
        for (path, bytes) in files {
            guard case .found(let resource) = feed.presentation.resource(path.dropFirst(prefix.count), now: feed.now)
            else {
                Issue.record("\(path) is not served")
                continue
            }
            #expect(try resource.body.read() == ByteBuffer(bytes: bytes), "\(path)")
        }
        let paths = feed.presentation.saved.files.map(\.path) + ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"]
        #expect(Set(paths).isSubset(of: files.keys.map { String($0.dropFirst(prefix.count)) }))
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func noPlaylistNamesWhatIsMissingAndAllIsThereOnceTheDiskIsWell(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let watch = Watch()
        let disk = MemoryFileSystem { watch.check() }
        watch.look(at: disk)
        let mirror = try DirectoryMirror(directory: "out", waits: true, fileSystem: disk) { _ in }
        var feed = Feed(nil, seed: seed, consumers: [mirror])
        for _ in 0..<30 {
            let state = Int.random(in: 0..<6, using: &generator)
            let used = disk.files.values.reduce(0) { $0 + $1.count }
            disk.state.withLock { disk in
                disk.failure = state == 0 ? EIO : nil
                disk.capacity = state == 1 ? used : state == 2 ? used + 60 : .max
            }
            try feed.publish()
            feed.presentation.finish()
        }
        disk.state.withLock { ($0.failure, $0.capacity) = (nil, .max) }
        try feed.publish()
        feed.presentation.finish()
        watch.check()
        try Self.expectEqual(disk, feed)
        #expect(mirror.health.isHealthy && !mirror.isIncomplete)
    }

    /// A live stream continues; what is written once the disk is well is what is served by then.
    @Test func aDiskThatStandsStillHoldsUpNoLiveStream() throws {
        let gate = Gate()
        let disk = MemoryFileSystem { gate.pass() }
        let mirror = try DirectoryMirror(directory: "out", waits: false, fileSystem: disk) { _ in }
        var feed = Feed(nil, consumers: [mirror])
        try feed.publish(count: 3)
        gate.close()
        try feed.publish(count: 60)
        #expect(feed.presentation.saved.numbers.upperBound.value == Feed.firstNumber + 63)
        gate.open()
        feed.presentation.finish()
        try Self.expectEqual(disk, feed)
    }
}
