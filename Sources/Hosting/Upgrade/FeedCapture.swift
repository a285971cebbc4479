import Channels
import MediaCore
import Origin
import Presentation
import Segmenting
import Timeline

/// The newest slots of channels at the moment from which the bytes of their feeds are kept.
struct FeedCapture {
    private let channels: [(presentation: Presentation, last: MediaSequenceNumber?, slot: Duration)]
    private let begun = ContinuousClock.now

    /// The interval at which the newest slots of channels are looked at.
    private static let pause = Duration.milliseconds(20)

    init(_ members: [HostedChannel]) {
        channels = members.map { member in
            let presentation = member.origin.presentation
            let slot = member.service.channel.configuration.grid.slotDuration
            return (presentation, presentation.lastNumber, .milliseconds(slot.milliseconds))
        }
    }

    /// Returns once the slot that each channel is filling is whole in what is kept.
    ///
    /// The slot under way at the start began before, and the one after it may lack what came early of it. A channel that a busy
    /// machine holds up is waited for; one that publishes nothing is not.
    func untilEnough() async {
        for channel in channels {
            try? await Task.sleep(until: begun + channel.slot * 2, clock: .continuous)
            guard let last = channel.last else { continue }
            while let number = channel.presentation.lastNumber, number < last.advanced(by: 2),
                ContinuousClock.now < begun + channel.slot * 4
            {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            }
        }
    }
}
