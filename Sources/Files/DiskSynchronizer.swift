import Dispatch
import Synchronization

/// Has written files reach the disk, on a thread of its own.
///
/// Files wait while the disk is busy, each once.
package final class DiskSynchronizer: Sendable {
    private struct State {
        var waiting: [String] = []
        /// The same files.
        var names: Set<String> = []
        var isRunning = false
    }

    private let fileSystem: any FileSystem
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// The most files that wait.
    ///
    /// If the disk is further behind, the operating system writes the others in its own time.
    package static let mostWaiting = 4096

    /// - Parameters:
    ///   - label: The name of the thread.
    ///   - fileSystem: The file system of the files.
    package init(_ label: String, _ fileSystem: any FileSystem) {
        queue = DispatchQueue(label: label)
        self.fileSystem = fileSystem
    }

    /// Synchronizes files with the disk soon.
    ///
    /// - Parameters:
    ///   - paths: The files; those that are no longer there need not be synchronized.
    ///   - onResult: Called after each run over the waiting files, with the last failure; nil if there is none. Calls
    ///     that find a run under way do not replace its callback.
    package func synchronize(_ paths: [String], onResult: @escaping @Sendable (FileError?) -> Void) {
        let starts = state.withLock { state in
            for path in paths where state.waiting.count < Self.mostWaiting && state.names.insert(path).inserted {
                state.waiting.append(path)
            }
            if state.isRunning || state.waiting.isEmpty { return false }
            state.isRunning = true
            return true
        }
        if starts { queue.async { self.run(onResult) } }
    }

    /// Returns once the waiting files have reached the disk, for an orderly end, or after five seconds.
    package func finish() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        // A channel that is handed over publishes nothing meanwhile.
        _ = done.wait(timeout: .now() + .seconds(5))
    }

    private func run(_ onResult: (FileError?) -> Void) {
        while let paths = next() {
            var problem: FileError?
            for path in paths {
                do throws(FileError) { try fileSystem.synchronize(path) } catch { problem = error }
            }
            onResult(problem)
        }
    }

    private func next() -> [String]? {
        state.withLock { state in
            defer { (state.waiting, state.names) = ([], []) }
            state.isRunning = !state.waiting.isEmpty
            return state.isRunning ? state.waiting : nil
        }
    }
}
