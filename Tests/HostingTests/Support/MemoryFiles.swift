import Files
import PackagerConfig
import Synchronization
import TestSupport

@testable import Hosting

/// The files of a configuration, in memory.
final class MemoryFiles: ConfigurationStorage {
    private struct State {
        var text: String?
        var overlay: ChannelOverlay?
        var reads = 0
        var overlays: [ChannelOverlay] = []
        var isFull = false
    }

    /// Lets nobody read while it is closed, as a file system that hangs.
    let gate = Gate()
    /// Somebody reads, for the first time.
    let reading = Occurrence()
    private let state: Mutex<State>

    init(_ text: String) {
        state = Mutex(State(text: text))
    }

    /// The number of times that the file was read.
    var reads: Int { state.withLock { $0.reads } }
    /// All that was written of channels, oldest first.
    var overlays: [ChannelOverlay] { state.withLock { $0.overlays } }

    /// Writes the file; nil removes it.
    func write(_ text: String?) { state.withLock { $0.text = text } }
    /// Has nothing more be written.
    func fill() { state.withLock { $0.isFull = true } }

    func file(_ path: String) throws(ConfigurationProblems) -> ConfigurationFile {
        reading.happen()
        gate.pass()
        let text = state.withLock { state in
            state.reads += 1
            return state.text
        }
        guard let text else {
            let problem = ConfigurationProblem(origin: .flag("--config"), message: "\(path): it is not there")
            throw ConfigurationProblems(problems: [problem])
        }
        return ConfigurationFile(name: path, text: text)
    }

    func overlay(_ path: String) throws -> ChannelOverlay? { state.withLock { $0.overlay } }

    func keep(_ overlay: ChannelOverlay, at path: String) throws(FileError) {
        let isFull = state.withLock { state in
            if !state.isFull {
                state.overlay = overlay
                state.overlays.append(overlay)
            }
            return state.isFull
        }
        if isFull { throw FileError(operation: "write", path: path, reason: "No space left on device") }
    }
}
