import MediaCore
import Presentation

/// The state of the process for a supervisor or a load balancer.
///
/// A process that answers is ready: encoders and viewers reach it, also before the first encoder connects. What is on air is
/// said beside it, since an encoder whose connection depends on readiness could never bring a channel on air.
package struct Readiness: Hashable, Codable, Sendable {
    /// True if no channel withholds its playlists, and none has ended.
    var isReady: Bool
    /// True if every channel publishes media of its inputs now: the newest slot of no rendition is a gap, a slate or a held
    /// picture.
    var isOnAir: Bool
    package var channels: [Channel]

    package struct Channel: Hashable, Codable, Sendable {
        package var name: String
        /// The reasons why it is not ready; empty if it is.
        var reasons: [String]
        var state: ChannelStatus.State
        var isOnAir: Bool

        private enum CodingKeys: String, CodingKey {
            case name, reasons, state
            case isOnAir = "onAir"
        }
    }

    package init(_ channels: [ChannelStatus]) {
        self.channels = channels.map { channel in
            let ended = channel.state == .ended ? [channel.state.rawValue] : []
            return Channel(
                name: channel.name,
                reasons: ended + channel.failures.map(\.rawValue),
                state: channel.state,
                isOnAir: channel.state == .live && !channel.renditions.isEmpty
                    && channel.renditions.allSatisfy { $0.newest == .media }
            )
        }
        isReady = self.channels.allSatisfy(\.reasons.isEmpty)
        isOnAir = self.channels.allSatisfy(\.isOnAir)
    }

    private enum CodingKeys: String, CodingKey {
        case isReady = "ready"
        case isOnAir = "onAir"
        case channels
    }
}
