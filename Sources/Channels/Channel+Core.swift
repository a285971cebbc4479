import ContentProtection
import Dispatch
import MediaCore
import Presentation
import Segmenting

extension Channel {
    /// What decides, and what it has decided.
    struct Core {
        var engine: ChannelEngine
        /// What has been decided and is not done yet.
        var pending: [Publisher.Batch] = []
        var isDraining = false
        /// What is known of the peer while it is waited for.
        var windowOfPeer: RestoredWindow?

        /// What whoever brought an event has to do at once.
        struct Errands {
            var reports: [ChannelEngine.Report] = []
            var keyRequests: [KeyTimeline.Request] = []
            /// Whether somebody has to begin with what is queued.
            var mustDrain = false
        }

        /// Has the engine decide, and queues what is to be published.
        mutating func handle(
            _ event: ChannelEngine.Event,
            at reading: ClockReading,
            window: RestoredWindow?
        ) -> Errands {
            if let window { windowOfPeer = window }
            defer { if !engine.isJoining { windowOfPeer = nil } }
            var errands = Errands()
            var actions: [ChannelEngine.Action] = []
            for action in engine.handle(event, at: reading) {
                switch action {
                case .report(let report): errands.reports.append(report)
                case .requestKeys(let request): errands.keyRequests.append(request)
                default: actions.append(action)
                }
            }
            if actions.isEmpty { return errands }
            pending.append(Publisher.Batch(actions: actions, windowOfPeer: windowOfPeer, decidedAt: .now()))
            errands.mustDrain = !isDraining
            isDraining = true
            return errands
        }

        /// What is to be done next; nil where nothing is, and whoever asked has to leave off.
        mutating func next() -> Publisher.Batch? {
            isDraining = !pending.isEmpty
            return pending.isEmpty ? nil : pending.removeFirst()
        }
    }
}
