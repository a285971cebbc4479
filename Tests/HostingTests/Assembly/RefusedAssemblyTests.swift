import Archive
import Dispatch
import Files
import MediaCore
import PackagerConfig
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// Channels that are put together, and do not come since others cannot be.
@Suite(.timeLimit(.minutes(5))) struct RefusedAssemblyTests {
    /// A disk that takes half a second to keep the first file for good.
    private final class SlowDisk: ForwardingFileSystem {
        let disk: any FileSystem = LocalFileSystem.confidential
        private let isFirst = Mutex(true)

        func synchronize(_ path: String) throws(FileError) {
            let isFirst = self.isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(500)) }
            try disk.synchronize(path)
        }
    }

    /// The journal of the first still writes what it continues from.
    @Test func theirDirectoriesAreFreeAtOnce() async throws {
        let stage = try RecordedStage()
        let first = try await stage.hosted(try Stage.channel("a", ["window": ["20"]]))
        try stage.publish(3, in: first)
        await first.runner.close(ends: false)
        let predecessors = ["a": ChannelPredecessor(first)]
        var slow = stage.assembly
        slow.journalFiles = SlowDisk()
        let assembly = slow
        let channels = try ["a", "b"].map { try Stage.channel($0, ["window": ["20"], "state": [stage.state]]) }
        let other = try Journal.open(
            directory: stage.state,
            channel: "b",
            configuration: [:],
            segmentDuration: MediaTime(seconds: 1)
        ) { _ in }
        await #expect {
            _ = try await assembly.assemble(channels, after: predecessors)
        } throws: {
            ($0 as? SetupError)?.items.map(\.channel) == ["b"]
        }
        let next = try #require(try await assembly.assemble([channels[0]], after: predecessors).first)
        #expect(next.service.journal != nil)
        await next.runner.close(ends: false)
        other.journal.close()
    }
}
