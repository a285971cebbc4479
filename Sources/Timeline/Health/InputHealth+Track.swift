import MediaCore

extension InputHealth {
    /// The state of one track.
    struct Track: Sendable {
        let index: InputTrackIndex
        let kind: MediaKind
        var lastArrival: MediaTime
        var keyFrames: KeyFrameWatch
        var pictures = PictureWatch()
        var audio = AudioWatch()
        var rhythm = DeliveryRhythm()

        init(_ packet: Packet, openedAt: MediaTime) {
            index = packet.trackIndex
            kind = packet.kind
            lastArrival = openedAt
            keyFrames = KeyFrameWatch(openedAt: openedAt)
        }

        mutating func received(_ packet: Packet, at arrival: MediaTime) {
            lastArrival = arrival
            rhythm.received(mediaTime: packet.mediaTime, at: arrival)
            if kind == .video, packet.isSync { keyFrames.received(mediaTime: packet.mediaTime, at: arrival) }
        }

        mutating func examined(_ finding: ContentFinding) {
            switch finding.content {
            case .picture(let change): pictures.found(change, at: finding.mediaTime)
            case .audio(let level): audio.found(level: level, at: finding.mediaTime)
            case .unheard: audio.interrupted()
            }
        }

        /// Forgets the state after an interruption, during which nothing is known.
        mutating func interrupted() {
            keyFrames.interrupted()
            pictures.interrupted()
            audio.interrupted()
        }
    }
}
