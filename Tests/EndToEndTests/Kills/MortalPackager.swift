import Foundation
import Synchronization
import TestSupport

/// A packager that is killed and started again, on the same ports with the same state.
final class MortalPackager: Sendable {
    let feedPort = Ports.free(datagram: true)
    /// The URL of the channel, with a slash at its end.
    let url: String
    private let arguments: [String]
    /// The directory where its journal keeps the segments, with one in it for each rendition.
    private let media: String
    private let state = Mutex(State())

    private struct State {
        var program: Program?
        var life = 0
        var servedLives: Set<Int> = []
        var failures: [String] = []
        var remarks: [String] = []
    }

    /// - Parameters:
    ///   - arguments: All but its addresses and its state.
    ///   - directory: Its state directory.
    init(_ arguments: [String], state directory: String) {
        let port = Ports.free()
        url = "http://127.0.0.1:\(port)/live/"
        media = "\(directory)/live/media"
        self.arguments =
            arguments + [
                "--input", "udp://127.0.0.1:\(feedPort)", "--listen", "127.0.0.1:\(port)", "--control", "127.0.0.1:0",
                "--state", directory, "--log-level", "warning",
            ]
    }

    deinit { end() }

    /// Counts its lives: what was asked and answered in one of them was not disturbed by a kill.
    var life: Int { state.withLock { $0.life } }
    /// The number of its lives that have answered someone.
    var servedCount: Int { state.withLock { $0.servedLives.count } }
    /// The times when it ended by itself, with its last words.
    var failures: [String] { state.withLock { $0.failures } }
    /// The messages about its journal.
    var remarks: [String] { state.withLock { $0.remarks } }

    func noteServed(in life: Int) {
        _ = state.withLock { $0.servedLives.insert(life) }
    }

    func start() throws {
        state.withLock { $0.life += 1 }
        let program = try Program(Repository.packager, arguments)
        state.withLock { $0.program = program }
    }

    /// Starts it, and kills it when the moment has come.
    func live(until moment: KillMoment) async throws {
        let watch = try WriteWatch(["audio-de", "audio-en", "video-360p"].map { "\(media)/\($0)" })
        try start()
        switch moment {
        case .started(let delay):
            // The moment is what the test varies: nothing is waited for.
            try await Task.sleep(for: delay)
            strike()
        case .writing(let files):
            await watch.wait(for: files, within: 4) { self.strike() }
        }
        await bury()
    }

    /// Starts it, and kills it when a client has compared something that it publishes with what was published before.
    func live(untilIn client: ChannelClient) async throws {
        let comparisons = client.witness.figures.comparisons
        try await live { client.witness.figures.comparisons > comparisons }
    }

    /// Starts it, and kills it once something has come true, or has not in time.
    func live(untilTrue isTime: @escaping @Sendable () -> Bool) async throws {
        try start()
        _ = try? await eventually(within: 15, "the moment of the kill") { isTime() ? true : nil }
        await kill()
    }

    func kill() async {
        strike()
        await bury()
    }

    private func strike() {
        let program = state.withLock { state in
            state.life += 1
            if state.program?.isRunning == false { state.failures.append("it ended: \(state.program?.errors ?? "")") }
            return state.program
        }
        program?.kill()
    }

    /// Waits for its end, and reads what it has left.
    private func bury() async {
        guard let program = state.withLock({ $0.program }) else { return }
        _ = await program.exitCode()
        let remarks = program.errors.split(separator: "\n").filter { $0.contains(" journal ") }
        state.withLock { state in
            state.program = nil
            state.remarks += remarks.map(String.init)
        }
    }

    func end() {
        state.withLock { $0.program }?.kill()
    }
}
