import Ingest
import Logging

/// RTMP encoders, whose connections continue in the other process.
extension Upgrade {
    /// The time within which readers of all streams have opened their listeners.
    private static let openingTime = Duration.seconds(10)

    /// Stops reading from RTMP encoders, and returns those that cannot be handed over.
    func partWithPublishers() async -> [HandedPublisher] {
        let (publishers, kept) = await HandedPublishers.part()
        for encoder in kept {
            noteCut("The upgrade has disconnected an RTMP encoder \(encoder).")
        }
        return publishers
    }

    /// Notes that an encoder has to connect again.
    ///
    /// - Parameter what: A sentence that says which, and why.
    func noteCut(_ what: String) {
        note(
            .warning,
            headline: "encoder cut off by the upgrade",
            "\(what) It has to connect again; viewers miss what it sends until then, unless there is a backup.",
            viewers: "they miss what the encoder sends until it connects again, unless there is a backup",
            remedy: "let the encoder connect again"
        )
    }

    /// Cuts off, after a while, publishers whose streams are not read.
    func closeUnclaimedPublishers() {
        Task { [self] in
            await system.sleep(Self.openingTime)
            for encoder in HandedPublishers.closeUnclaimed() {
                note(
                    .warning,
                    headline: "encoder cut off after the upgrade",
                    "An RTMP encoder was cut off: \(encoder). No input takes its stream any more: see the configuration.",
                    viewers: "they get nothing of this encoder",
                    remedy: "stop the encoder, or give an input the address and stream key that it sends to"
                )
            }
        }
    }
}
