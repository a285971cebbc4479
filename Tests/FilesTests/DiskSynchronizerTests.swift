import Files
import Synchronization
import TestSupport
import Testing

@Suite struct DiskSynchronizerTests {
    /// A disk that takes its time, and fails for one file.
    private final class SlowDisk: ForwardingFileSystem {
        let disk: any FileSystem = MemoryFileSystem()
        let gate = Gate(isClosed: true)
        let synchronized = Mutex<[String]>([])

        func synchronize(_ path: String) throws(FileError) {
            gate.pass()
            if path == "bad" { throw FileError(operation: "synchronize", path: path, reason: "I/O error") }
            synchronized.withLock { $0.append(path) }
        }
    }

    private let disk = SlowDisk()

    /// At an orderly end, files that came while the disk was busy reach it, too.
    @Test func filesWaitForABusyDisk() async throws {
        let synchronizer = DiskSynchronizer("test", disk)
        synchronizer.synchronize(["first"]) { _ in }
        _ = try await eventually(within: 5) { disk.gate.waiting == 1 ? true : nil }
        synchronizer.synchronize(["second", "third"]) { _ in }
        synchronizer.synchronize(["second"]) { _ in }
        disk.gate.open()
        synchronizer.finish()
        #expect(disk.synchronized.withLock { $0 } == ["first", "second", "third"])
    }

    @Test func failuresAreReportedAndOver() {
        disk.gate.open()
        let results = Mutex<[String?]>([])
        let synchronizer = DiskSynchronizer("test", disk)
        for files in [["bad", "good"], ["good"]] {
            synchronizer.synchronize(files) { problem in
                results.withLock { $0.append(problem?.path) }
            }
            synchronizer.finish()
        }
        #expect(results.withLock { $0 } == ["bad", nil])
    }

    /// A disk that does not answer costs a bounded amount of memory.
    @Test func waitingFilesAreBounded() async throws {
        let synchronizer = DiskSynchronizer("test", disk)
        synchronizer.synchronize(["first"]) { _ in }
        _ = try await eventually(within: 5) { disk.gate.waiting == 1 ? true : nil }
        synchronizer.synchronize((0..<10_000).map { "\($0)" }) { _ in }
        disk.gate.open()
        synchronizer.finish()
        #expect(disk.synchronized.withLock { $0.count } == 1 + DiskSynchronizer.mostWaiting)
    }
}
