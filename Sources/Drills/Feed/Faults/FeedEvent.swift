import MediaCore

/// An event of a feed, for the drill's timeline.
struct FeedEvent: Hashable, Sendable {
    /// The time since the start of the drill.
    var time: MediaTime
    var kind: Kind

    enum Kind: Hashable, Sendable {
        /// The encoder was started; its first key frame follows within a key frame interval of the sample.
        case encoderStarted
        /// The encoder was killed.
        case encoderEnded
        case faultBegan(Fault)
        case faultEnded(Fault)
        /// Packets are received, or at least no failure is known.
        case connected
        case connectionLost(reason: String)
    }
}

extension FeedEvent: CustomStringConvertible {
    var description: String {
        switch kind {
        case .encoderStarted: "encoder started"
        case .encoderEnded: "encoder ended"
        case .faultBegan(let fault): "\(fault)"
        case .faultEnded(let fault): "end of \(fault)"
        case .connected: "connected"
        case .connectionLost(let reason): "connection lost (\(reason))"
        }
    }
}
