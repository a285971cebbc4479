import ContentProtection
import Dispatch
import MediaCore
import Presentation
import Segmenting

extension Channel {
    /// The engine, with the decisions that are not carried out yet.
    struct Core {
        var engine: ChannelEngine
        /// The decisions that are not carried out yet.
        var pending: [Publisher.Batch] = []
        var isDraining = false
        /// The window of the peer while it is waited for.
        var windowOfPeer: RestoredWindow?

        /// The work that is left to the thread that brings an event, at once.
        struct Work {
            var reports: [ChannelEngine.Report] = []
            var keyRequests: [KeyTimeline.Request] = []
            /// True if that thread has to begin with the queued batches.
            var mustDrain = false
        }

        /// Has the engine decide, and queues its actions.
        mutating func handle(
            _ event: ChannelEngine.Event,
            at reading: ClockReading,
            window: RestoredWindow?
        ) -> Work {
            if let window { windowOfPeer = window }
            defer { if !engine.isJoining { windowOfPeer = nil } }
            var work = Work()
            var actions: [ChannelEngine.Action] = []
            for action in engine.handle(event, at: reading) {
                switch action {
                case .report(let report): work.reports.append(report)
                case .requestKeys(let request): work.keyRequests.append(request)
                default: actions.append(action)
                }
            }
            if actions.isEmpty { return work }
            pending.append(Publisher.Batch(actions: actions, windowOfPeer: windowOfPeer, decidedAt: .now()))
            work.mustDrain = !isDraining
            isDraining = true
            return work
        }

        /// Takes the next batch; nil if there is none, and the caller has to leave off.
        mutating func next() -> Publisher.Batch? {
            isDraining = !pending.isEmpty
            return pending.isEmpty ? nil : pending.removeFirst()
        }
    }
}
