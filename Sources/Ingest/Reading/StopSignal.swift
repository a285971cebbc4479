import CFFmpeg
import Dispatch
import MediaCore
import Synchronization

/// Raised once to end a reader: everything that waits on its thread checks it.
package final class StopSignal: Sendable {
    private let raised = Atomic(false)
    private let wake = DispatchSemaphore(value: 0)

    package init() {}

    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    package func raise() {
        raised.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Waits for at most `duration`, and returns true if the signal is raised.
    package func wait(for duration: Duration) -> Bool {
        if !isRaised, duration > .zero {
            // The one waiter is the reader's thread, so the one token of `raise` reaches it.
            _ = wake.wait(timeout: .now() + .nanoseconds(Int(duration.nanoseconds)))
        }
        return isRaised
    }

    /// The callback that libavformat calls while it blocks, about every 100 ms.
    ///
    /// The signal must outlive its holder.
    var interruptCallback: AVIOInterruptCB {
        unsafe AVIOInterruptCB(
            callback: { opaque in
                guard let opaque = unsafe opaque else { return 0 }
                return unsafe Unmanaged<StopSignal>.fromOpaque(opaque)._withUnsafeGuaranteedRef { $0.isRaised } ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
