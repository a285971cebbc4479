import MediaCore
import Presentation

/// Whether a load balancer should send viewers here.
package struct Readiness: Hashable, Codable, Sendable {
    var isReady: Bool
    package var channels: [Channel]

    package struct Channel: Hashable, Codable, Sendable {
        package var name: String
        /// Why it is not ready; empty where it is.
        var reasons: [String]
    }

    /// Ready is when every channel is live and none fails on the conditions that it is configured to fail on.
    package init(_ channels: [ChannelStatus]) {
        self.channels = channels.map { channel in
            let state = channel.state == .live ? [] : [channel.state.rawValue]
            return Channel(name: channel.name, reasons: state + channel.failures.map(\.rawValue))
        }
        isReady = self.channels.allSatisfy(\.reasons.isEmpty)
    }

    private enum CodingKeys: String, CodingKey {
        case isReady = "ready"
        case channels
    }
}
