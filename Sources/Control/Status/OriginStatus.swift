package import Operations

/// The state of the origin, as the control API shows it.
package struct OriginStatus: Hashable, Codable, Sendable {
    /// Connections that are open now.
    var connections: Int
    var maximumConnections: Int
    var maximumConnectionsPerAddress: Int
    /// Connections that were closed for a new one, since the start.
    var displaced: Int
    /// Connections that were refused because all others were in use, since the start.
    package var refused: Int
    /// Connections beyond the limit of one address, since the start.
    var displacedByAddress: Int
    /// The number of times that no connection could be accepted for want of file descriptors, since the start.
    var outOfDescriptors: Int
    /// Requests that were answered since the start.
    package var requests: Int
    /// Bytes of bodies since the start.
    package var bytes: Int
    /// Clients that requested media within the last 30 seconds.
    package var viewers: Int
    /// The requests for keys since the start; nil if keys need no token.
    package var keys: Keys?

    /// The answers since the start.
    package var answered: [Answered] = []
    /// The certificates of encrypted servers; empty if none is encrypted.
    package var certificates: [Certificate] = []

    package struct Certificate: Hashable, Codable, Sendable {
        /// `origin`, `keys` or `control`.
        package var listener: String
        package var expiry: Timestamp

        package init(listener: String, expiry: Timestamp) {
            self.listener = listener
            self.expiry = expiry
        }
    }

    /// The viewers of each channel.
    package var audiences: [String: ChannelStatus.Audience] = [:]

    /// Answers of one kind and status.
    package struct Answered: Hashable, Codable, Sendable {
        package var kind: String
        /// A status of HTTP, or `other`.
        package var code: String
        package var requests: Int
        /// Bytes of bodies.
        package var bytes: Int

        package init(kind: String, code: String, requests: Int, bytes: Int) {
            self.kind = kind
            self.code = code
            self.requests = requests
            self.bytes = bytes
        }
    }

    package struct Keys: Hashable, Codable, Sendable {
        package var granted: Int
        /// The refusals, by their reasons as clients get them.
        package var refused: [String: Int]

        package init(granted: Int, refused: [String: Int]) {
            self.granted = granted
            self.refused = refused
        }
    }

    package init(
        connections: Int,
        maximumConnections: Int,
        maximumConnectionsPerAddress: Int,
        displaced: Int,
        refused: Int,
        displacedByAddress: Int,
        outOfDescriptors: Int,
        requests: Int,
        bytes: Int,
        viewers: Int,
        audiences: [String: ChannelStatus.Audience] = [:],
        keys: Keys? = nil,
        answered: [Answered] = []
    ) {
        self.connections = connections
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerAddress = maximumConnectionsPerAddress
        self.displaced = displaced
        self.refused = refused
        self.displacedByAddress = displacedByAddress
        self.outOfDescriptors = outOfDescriptors
        self.requests = requests
        self.bytes = bytes
        self.viewers = viewers
        self.audiences = audiences
        self.keys = keys
        self.answered = answered
    }
}
