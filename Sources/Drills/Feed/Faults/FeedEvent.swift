import MediaCore

/// Something that happened to a feed, for the drill's timeline.
struct FeedEvent: Hashable, Sendable {
    /// Since the start of the drill.
    var time: MediaTime
    var kind: Kind

    enum Kind: Hashable, Sendable {
        /// Its first key frame follows, within the distance of the sample's key frames.
        case encoderStarted
        /// It was killed.
        case encoderEnded
        case faultBegan(Fault)
        case faultEnded(Fault)
        /// What is sent is received, or at least nobody can tell that it is not.
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
