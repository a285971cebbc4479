import Dispatch
import Synchronization

/// The threads on which live channels without parts publish.
///
/// All channels of a process publish when a slot ends, and wait for their writers then. Each would need a thread for
/// that; many channels take turns on a few.
final class PublishingThreads: Sendable {
    /// The threads of the process.
    static let shared = PublishingThreads()
    /// The most threads; a journal holds up the channels that share one with its channel for a second at most.
    static let count = 32

    private let queues = (0..<count).map { DispatchQueue(label: "publishing-\($0)", qos: .userInitiated) }
    private let served = Atomic(0)

    /// Returns the queue of the next channel, each in turn.
    func next() -> DispatchQueue { queues[served.wrappingAdd(1, ordering: .relaxed).oldValue % Self.count] }
}
