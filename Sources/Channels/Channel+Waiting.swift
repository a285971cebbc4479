import Dispatch
import Foundation
import Segmenting
import Synchronization

/// The waits of a channel: stored feeds wait for each other and for publications, and so does its end.
extension Channel {
    /// Returns once all decisions are published.
    ///
    /// A channel that is to end does not wait for keys, and a process that is to end waits only for the publication
    /// under way.
    package func finish() {
        let deadline = Date.now + 2
        progress.lock()
        defer { progress.unlock() }
        while true {
            let isStopped = hasReleasedInputs.load(ordering: .relaxed)
            let mustWait = core.withLock { $0.isDraining || !isStopped && $0.engine.isWaitingForKeys }
            guard mustWait else { return }
            guard isStopped else {
                progress.wait()
                continue
            }
            if !progress.wait(until: deadline) { return }
        }
    }

    /// Finishes as ``finish()`` does, without blocking a thread that tasks share.
    package func finished() async { await elsewhere { self.finish() } }

    /// Lets inputs go that wait for others, because the channel is to end; their media is published.
    package func releaseInputs() {
        hasReleasedInputs.store(true, ordering: .relaxed)
        wakeInputs()
    }

    /// Publishes all decisions, and ends publishing.
    ///
    /// Call this once all inputs have stopped.
    ///
    /// - Parameter ends: True if players are told that the stream is over; false if another process continues from its
    ///   journal.
    package func close(ends: Bool) async {
        await elsewhere { [self] in
            finish()
            publisher.withLock { publisher in
                if ends { publisher.end() }
                isStopped.store(true, ordering: .relaxed)
            }
            stop()
        }
    }

    private func elsewhere(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                work()
                continuation.resume()
            }
        }
    }

    /// Holds up a stored input, which can wait for the others, until the channel has its tracks.
    func waitForStart(_ input: InputID) {
        wait { $0.engine.mustWaitForStart(input) }
    }

    /// Holds up a stored input that is far ahead of the others or of the published slots.
    ///
    /// One slot is read while the one before it is published.
    func waitForOthers(_ input: InputID) {
        if configuration.inputs.count > 1 { wakeInputs() }
        wait { !$0.pending.isEmpty || $0.engine.isWaitingForKeys || $0.engine.isFarAhead(input) }
    }

    private func wait(while condition: (borrowing Core) -> Bool) {
        if !core.withLock({ condition($0) }) { return }
        progress.lock()
        defer { progress.unlock() }
        while !hasReleasedInputs.load(ordering: .relaxed), core.withLock({ condition($0) }) { progress.wait() }
    }

    /// Lets waiting inputs check their condition again.
    func wakeInputs() {
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }
}
