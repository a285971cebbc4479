import MediaCore

extension InputHealth {
    /// Tells silence from sound: encoders write digital silence as the same frame again and again.
    struct SoundWatch: Sendable {
        /// Since when all frames are the same.
        private(set) var silentSince: MediaTime?
        private var fingerprint: Fingerprint?
        private var byteCount: Int?

        /// No sound fits into frames of this size (12 kbit/s at 48 kHz), whatever counters are in them.
        private static let emptyFrame = 32

        mutating func received(_ packet: Packet, at arrival: MediaTime) {
            let isSame = packet.fingerprint != nil && packet.fingerprint == fingerprint
            let isEmpty = packet.byteCount == byteCount && packet.byteCount <= Self.emptyFrame
            if !isSame, !isEmpty {
                silentSince = nil
            } else if silentSince == nil {
                silentSince = arrival
            }
            fingerprint = packet.fingerprint
            byteCount = packet.byteCount
        }

        mutating func interrupted() {
            silentSince = nil
        }
    }
}
