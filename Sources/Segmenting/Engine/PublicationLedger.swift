package import MediaCore
import Timeline

/// Decides what depends on the order in which slots are published, as they leave the engine.
///
/// The segmenter decides what fills a slot. The slot may then wait for keys, and only here is it known what was published
/// before it.
struct PublicationLedger: Sendable {
    private let configuration: ChannelEngine.Configuration

    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
    }

    /// Completes slots that are published now, in order.
    mutating func complete(_ decisions: [ChannelEngine.SlotDecision]) -> [ChannelEngine.SlotDecision] {
        decisions.map { decision in
            var decision = decision
            decision.writing = writingTime(of: decision)
            return decision
        }
    }

    /// The time that the segments of a slot may take to be written; nil for any time, since stored feeds can wait.
    ///
    /// A new version of a playlist comes no later than 1.5 target durations after the one before (RFC 8216bis § 6.2.2):
    /// counted from when the slot was decided, so that a rendition that is always slow does not make the channel later
    /// and later. After that a quarter of a slot is left for those that are not.
    private func writingTime(of decision: ChannelEngine.SlotDecision) -> WritingTime? {
        guard configuration.isPaced else { return nil }
        let slot = configuration.grid.slotDuration
        let promise = MediaTime(milliseconds: Int64(configuration.grid.targetDuration) * 1_500)
        return WritingTime(latest: promise - slot - decision.waited, least: MediaTime(ticks: slot.ticks / 4))
    }
}

/// The time that the segments of a slot may take to be written.
package struct WritingTime: Hashable, Sendable {
    /// Counted from when the slot was decided.
    package var latest: MediaTime
    /// Counted from when writing begins, and granted in any case.
    package var least: MediaTime
}
