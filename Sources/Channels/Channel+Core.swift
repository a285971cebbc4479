import ContentProtection
import Dispatch
import MediaCore
import Presentation
import Segmenting

extension Channel {
    /// The engine, with the decisions that are not carried out yet.
    struct Core {
        var engine: ChannelEngine
        let writers: RenditionWriters
        /// The decisions that are not carried out yet.
        var pending: [Publisher.Batch] = []
        var isDraining = false
        /// The number of batches so far.
        var batchCount = 0
        /// The number of the newest batch that parts wait for; 0 for none.
        var awaitedBatch = 0
        /// The window of the peer while it is waited for.
        var windowOfPeer: RestoredWindow?

        /// The work that is left to the thread that brings an event, at once.
        struct Work {
            var reports: [ChannelEngine.Report] = []
            var keyRequests: [KeyTimeline.Request] = []
            /// True if that thread must begin with the queued batches.
            var mustDrain = false
        }

        /// Passes an event to the engine, begins to write parts, and queues the other actions.
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
                // A part does not wait for the batches before it: they may wait for a disk, or another rendition.
                case .publishPart(let part): writers.begin(part, at: reading.utc, after: awaitedBatch)
                default:
                    if action.isAwaitedByParts { awaitedBatch = batchCount + 1 }
                    actions.append(action)
                }
            }
            if actions.isEmpty { return work }
            batchCount += 1
            pending.append(
                Publisher.Batch(
                    number: batchCount,
                    actions: actions,
                    isAwaitedByParts: awaitedBatch == batchCount,
                    windowOfPeer: windowOfPeer,
                    decidedAt: .now()
                )
            )
            work.mustDrain = !isDraining
            isDraining = true
            return work
        }

        /// Takes the next batch; nil if the queue is empty, and the caller must stop.
        mutating func next() -> Publisher.Batch? {
            isDraining = !pending.isEmpty
            return pending.isEmpty ? nil : pending.removeFirst()
        }
    }
}
