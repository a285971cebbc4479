import MediaCore

extension InputHealth {
    /// What is known of one track.
    struct Track: Sendable {
        let index: Int
        let kind: TrackKind
        var lastArrival: MediaTime
        var keyFrames: KeyFrameWatch
        var pictures = PictureWatch()
        var sound = SoundWatch()

        init(_ packet: Packet, openedAt: MediaTime) {
            index = packet.trackIndex
            kind = packet.kind
            lastArrival = openedAt
            keyFrames = KeyFrameWatch(openedAt: openedAt)
        }

        mutating func received(_ packet: Packet, checks: Checks, at arrival: MediaTime) {
            lastArrival = arrival
            switch kind {
            case .video:
                if packet.isSync { keyFrames.received(mediaTime: packet.mediaTime, at: arrival) }
                if checks.frozen != nil { pictures.received(packet, at: arrival) }
            case .audio:
                if checks.silence != nil { sound.received(packet, at: arrival) }
            }
        }

        /// Nothing came for a while, so that nothing is known of that time.
        mutating func interrupted() {
            keyFrames.interrupted()
            pictures.interrupted()
            sound.interrupted()
        }
    }
}
