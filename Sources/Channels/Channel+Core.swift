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

        /// Has the engine decide, and queues what is to be published.
        ///
        /// - Returns: What is to be said at once, and whether somebody has to begin with what is queued.
        mutating func handle(
            _ event: ChannelEngine.Event,
            at reading: ClockReading,
            window: RestoredWindow?
        ) -> (reports: [ChannelEngine.Report], mustDrain: Bool) {
            if let window { windowOfPeer = window }
            defer { if !engine.isJoining { windowOfPeer = nil } }
            var reports: [ChannelEngine.Report] = []
            var actions: [ChannelEngine.Action] = []
            for action in engine.handle(event, at: reading) {
                if case .report(let report) = action { reports.append(report) } else { actions.append(action) }
            }
            if actions.isEmpty { return (reports, false) }
            pending.append(Publisher.Batch(actions: actions, windowOfPeer: windowOfPeer, decidedAt: .now()))
            defer { isDraining = true }
            return (reports, !isDraining)
        }

        /// What is to be done next; nil where nothing is, and whoever asked has to leave off.
        mutating func next() -> Publisher.Batch? {
            isDraining = !pending.isEmpty
            return pending.isEmpty ? nil : pending.removeFirst()
        }
    }
}
