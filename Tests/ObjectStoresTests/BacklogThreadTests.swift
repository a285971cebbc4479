import Files
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

/// The disk of what is kept for later, for which no task may wait: all of them share a few threads.
@Suite struct BacklogThreadTests {
    private final class WatchedDisk: ForwardingFileSystem {
        let disk: any FileSystem = LocalFileSystem.confidential
        private let state = Mutex<[Bool]>([])

        /// An element for each segment that was removed: true if a task waited for that.
        var removals: [Bool] { state.withLock { $0 } }

        func remove(_ path: String) throws(FileError) {
            let isOfTask = withUnsafeCurrentTask { $0 != nil }
            if path.hasSuffix(".m4s") { state.withLock { $0.append(isOfTask) } }
            try disk.remove(path)
        }
    }

    @Test func whatWasSentIsRemovedByAThreadOfItsOwn() async throws {
        let server = try await StandInStore()
        let directory = try TemporaryDirectory()
        let disk = WatchedDisk()
        let backlog = try PushBacklog(directory: directory.path, limit: 1 << 20, fileSystem: disk)
        try backlog.write("video-1080p/9999999.m4s", ByteBuffer(string: "one"))
        let push = Push(
            try server.objectStore(),
            number: 0,
            expiry: .keep,
            backlog: backlog,
            waits: false,
            onEvent: { _ in }
        )
        var feed = Feed(consumers: [push])
        try feed.publish()
        await feed.presentation.finished()
        _ = try await eventually(within: 10, "nothing is left") { disk.removals.isEmpty ? nil : true }
        #expect(disk.removals == [false])
        #expect(server.texts(below: "/media/live")["video-1080p/9999999.m4s"] == "one")
        push.close()
    }
}
