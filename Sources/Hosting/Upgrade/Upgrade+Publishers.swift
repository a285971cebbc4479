import Ingest
import Logging

/// RTMP encoders, whose connections continue in the other process.
extension Upgrade {
    /// The time within which readers of all streams have opened their listeners.
    private static let openingTime = Duration.seconds(10)

    /// Takes nothing more from RTMP encoders, and says who cannot be handed over.
    func partWithPublishers() async -> [HandedPublisher] {
        let (publishers, kept) = await HandedPublishers.part()
        for encoder in kept {
            note(
                .warning,
                headline: "encoder cut off by the upgrade",
                "An RTMP encoder cannot be handed over, and is cut off: \(encoder). It has to connect again; viewers miss "
                    + "what it sends until then, unless there is a backup."
            )
        }
        return publishers
    }

    /// Cuts off, after a while, publishers whose streams are not read.
    func closeUnclaimedPublishers() {
        Task { [self] in
            await system.sleep(Self.openingTime)
            for encoder in HandedPublishers.closeUnclaimed() {
                note(
                    .warning,
                    headline: "encoder cut off after the upgrade",
                    "An RTMP encoder was cut off: \(encoder). No input takes its stream any more: see the configuration."
                )
            }
        }
    }
}
