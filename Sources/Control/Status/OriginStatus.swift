package import Operations

/// The state of the origin, as the control API shows it.
package struct OriginStatus: Hashable, Codable, Sendable {
    /// Connections that are open now.
    var connections: Int
    var maximumConnections: Int
    var maximumConnectionsPerAddress: Int
    /// Connections since the start that were closed because another one needed the place.
    var displaced: Int
    /// Connections since the start that were refused because all places were taken and in use.
    package var refused: Int
    /// Connections since the start that one address had too many.
    var displacedByAddress: Int
    /// The number of times since the start that none could be accepted because no more files could be opened.
    var outOfDescriptors: Int
    /// Requests that were answered since the start.
    package var requests: Int
    /// Bytes of bodies since the start.
    package var bytes: Int
    /// Clients that asked for media within the last 30 seconds.
    package var viewers: Int
    /// The requests for keys since the start; nil if everybody gets them.
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
        /// The refusals, by the words that clients are told.
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
