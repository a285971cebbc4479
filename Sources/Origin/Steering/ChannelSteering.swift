import Foundation
package import MediaCore
import NIOCore
package import Playlists
import Synchronization

/// Tells the players of a channel which pathway to use.
package final class ChannelSteering: Sendable {
    /// A way to the channel: a CDN, an edge, or a member of a pair.
    package struct Pathway: Hashable, Sendable {
        package var id: String
        /// The URL below which the channel is found by its name; it has no path.
        package var url: String

        package init(id: String, url: String) {
            (self.id, self.url) = (id, url)
        }

        /// The host, perhaps with a port.
        var authority: String { url.firstIndex(of: "/").map { String(url[$0...].drop { $0 == "/" }) } ?? url }
    }

    private struct State {
        var order: PathwayOrder
        var body: ByteBuffer
        /// The second in which requests are counted.
        var second = Int64.min
        var requests = SharedQuota(limit: ChannelSteering.mostRequests)
    }

    package let pathways: [Pathway]
    /// Seconds after which players ask again.
    package let ttl: Int
    private let channel: String
    private let state: Mutex<State>

    /// The file beside the multivariant playlist.
    package static let file = "steering.json"
    /// The tag of the multivariant playlist: players begin with the pathway that it came from.
    package static let tag = MultivariantPlaylist.Steering(
        serverURI: file,
        pathwayID: MultivariantPlaylist.Steering.defaultPathway
    )
    /// The most requests of a second that are answered, and half of it for a client.
    ///
    /// A client may be a proxy: half is what a million players make with a TTL of ten minutes.
    static let mostRequests = 4_000

    /// - Parameters:
    ///   - pathways: The pathways, the preferred one first.
    ///   - ttl: Seconds after which players ask again.
    ///   - channel: The channel's name.
    package init(_ pathways: [Pathway], ttl: Int, channel: String) {
        self.pathways = pathways
        self.ttl = ttl
        self.channel = channel
        let order = PathwayOrder(count: pathways.count, probation: MediaTime(seconds: Int64(max(30, 2 * ttl))))
        state = Mutex(State(order: order, body: Self.body(pathways, order, ttl: ttl, channel: channel)))
    }

    /// Takes an observation of a pathway; see ``PathwayOrder/observed(_:of:at:)``.
    package func observed(
        _ observation: PathwayOrder.Observation,
        of index: PathwayIndex,
        at now: MediaTime
    ) -> PathwayOrder.Change? {
        state.withLock { state in
            guard let change = state.order.observed(observation, of: index, at: now) else { return nil }
            state.body = Self.body(pathways, state.order, ttl: ttl, channel: channel)
            return change
        }
    }

    /// Returns the steering manifest.
    ///
    /// - Parameters:
    ///   - second: The present second.
    ///   - client: Tells the network of the client from others.
    /// - Returns: The manifest; nil if there are too many requests for it in this second.
    func manifest(at second: Int64, for client: Int) -> ByteBuffer? {
        state.withLock { state in
            if state.second != second {
                (state.second, state.requests) = (second, SharedQuota(limit: Self.mostRequests))
            }
            return state.requests.take(for: client) ? state.body : nil
        }
    }

    private static func body(_ pathways: [Pathway], _ order: PathwayOrder, ttl: Int, channel: String) -> ByteBuffer {
        let base = MultivariantPlaylist.Steering.defaultPathway
        let indices = order.indices
        // A player asks its own pathway again, unless nothing answers there.
        let first = indices.first.flatMap { order.condition(of: $0) == .dead ? nil : pathways[$0.value] }
        let manifest = SteeringManifest(
            ttl: ttl,
            reloadURI: first.map { "\($0.url)/\(channel)/\(file)" },
            // Players that make no clones stay on their pathway.
            priority: indices.map { pathways[$0.value].id } + [base],
            clones: pathways.map { SteeringManifest.Clone(of: base, id: $0.id, host: $0.authority) }
        )
        let json = try? JSONEncoder.canonical.encode(manifest)
        return ByteBuffer(bytes: json ?? Data())
    }
}
