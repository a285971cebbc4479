import Control
import MediaCore
import Segmenting

/// The forecast that this process can make before a new one is started.
extension UpgradeForecast {
    /// Predicts the outcome of ``Upgrade``, apart from things that depend on the new program.
    init(of host: ChannelHost) {
        let obstacle = host.obstacle
        // Only the running new program shows if it can take over RTMP encoders.
        let outcomes = host.outcomes(handsPublishersOver: true)
        self.init(obstacle: obstacle, encoders: outcomes.map { EncoderOutcome($0, obstacle) })
    }
}

extension UpgradeForecast.EncoderOutcome {
    fileprivate init(_ input: InputOutcome, _ obstacle: String?) {
        self.init(
            channel: input.channel,
            input: input.input.description,
            transport: input.feed.transport,
            keeps: obstacle != nil || input.outcome != .cutOff,
            reason: obstacle.map { "nothing is handed over: \($0)" } ?? input.outcome.reason
        )
    }
}

extension FeedOutcome {
    fileprivate var reason: String {
        switch self {
        case .handedOver: "its connection is handed over, unless the new program cannot read its state"
        case .continues: "the new process reads on at its next byte"
        case .openedAnew: "it is opened again, and a segment may be a gap"
        case .beginsAnew: "it is a file, and is read again from its beginning: a segment may be a gap"
        case .cutOff: "its connection cannot be handed over, and the encoder must connect again"
        case .unconnected: "no encoder is connected"
        }
    }
}

extension FeedLocation {
    /// The transport in a word, as `GET /upgrade` names it.
    fileprivate var transport: String {
        switch kind {
        case .file: "file"
        case .pipe: "pipe"
        // The description of a session is a file, and the session is RTP.
        case .network: path == nil ? scheme ?? "network" : "rtp"
        }
    }
}
