import Channels
import MediaCore
import Origin
import Presentation
import Segmenting
import Timeline

/// The slots that channels were filling at the moment from which the bytes of their feeds are kept.
struct FeedCapture {
    /// One channel whose feeds are kept.
    struct Source {
        /// The newest slot with media at the start; nil if there was none.
        let begun: MediaSequenceNumber?
        let slotDuration: Duration
        /// Returns the newest slot that is published.
        let published: () -> MediaSequenceNumber?
    }

    private let sources: [(source: Source, last: MediaSequenceNumber?)]
    private let begun = ContinuousClock.now

    /// The interval at which the newest slots of channels are looked at.
    private static let pause = Duration.milliseconds(20)
    /// The number of slots that a channel gets beyond those that it has to publish.
    private static let patience = 2
    /// The most slots that a channel has to publish: a wrong timestamp may lie years ahead.
    private static let mostSlots: Int64 = 8

    init(_ members: [HostedChannel]) {
        self.init(
            members.map { member in
                let channel = member.service.channel
                let presentation = member.origin.presentation
                return Source(
                    begun: channel.newestSlotBegun,
                    slotDuration: .milliseconds(channel.configuration.grid.slotDuration.milliseconds),
                    published: { presentation.lastNumber }
                )
            }
        )
    }

    init(_ sources: [Source]) {
        self.sources = sources.map { ($0, $0.published()) }
    }

    /// Returns once the capture has all of the slot that each channel is filling.
    ///
    /// Slots with media at the start began before, and the one after them may lack media that came early. So both must
    /// be published, however far a feed is behind. A channel that a busy machine delays is waited for; one that
    /// publishes nothing is not.
    func untilEnough() async {
        for (source, last) in sources {
            guard let last else {
                try? await Task.sleep(until: begun + source.slotDuration * Self.patience, clock: .continuous)
                continue
            }
            let begun = min(max(source.begun ?? last, last.next), last.advanced(by: Self.mostSlots - 1))
            let target = begun.next
            let end = self.begun + source.slotDuration * (Int(target.value - last.value) + Self.patience)
            while let number = source.published(), number < target, ContinuousClock.now < end {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            }
        }
    }
}
