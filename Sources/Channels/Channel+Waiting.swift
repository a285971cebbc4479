import Dispatch
import Foundation
import Segmenting
import Synchronization

/// Who waits for a channel: stored feeds for each other and for what is published, and whoever ends it.
extension Channel {
    /// Stored feeds are read ahead of what is published by so many events that complete slots.
    private static let mostPending = 1

    /// Returns once all that was decided is published; where the channel is to end, if that is not held up; where the
    /// process is, that which is under way.
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

    /// As ``finish()``, holding up no thread that tasks share.
    package func finished() async { await elsewhere { self.finish() } }

    /// Lets inputs that wait for others go, because the channel is to end; what they bring is published.
    package func releaseInputs() {
        hasReleasedInputs.store(true, ordering: .relaxed)
        wakeInputs()
    }

    /// Publishes what is decided, and nothing after that.
    ///
    /// To be called once no input delivers any more.
    ///
    /// - Parameter ends: Whether players are told that the stream is over, or whoever has its journal goes on with it.
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

    /// Holds up a stored input until the channel has its tracks, for it can wait for the others.
    func waitForStart(_ input: InputID) {
        wait { $0.engine.mustWaitForStart(input) }
    }

    /// Holds up a stored input that is far ahead of the others, or of what is published.
    func waitForOthers(_ input: InputID) {
        if configuration.inputs.count > 1 { wakeInputs() }
        wait { $0.pending.count > Self.mostPending || $0.engine.isWaitingForKeys || $0.engine.isFarAhead(input) }
    }

    private func wait(while condition: (borrowing Core) -> Bool) {
        if !core.withLock({ condition($0) }) { return }
        progress.lock()
        defer { progress.unlock() }
        while !hasReleasedInputs.load(ordering: .relaxed), core.withLock({ condition($0) }) { progress.wait() }
    }

    /// Lets inputs that wait look again.
    func wakeInputs() {
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }
}
