import NIOCore

/// The state of the playback that the device asks a key for.
package struct MediaPlaybackState: Hashable, Sendable {
    package enum State: UInt32, Sendable {
        /// The device is ready to play, and has no key yet.
        case ready = 0xf4de_e5a2
        /// The device plays or pauses, and has the key.
        case playing = 0xa5d6_739e
        /// The device plays, and its lease is about to expire.
        case leaseExpiring = 0x4f83_4330
    }

    /// The time when the SPC was made, by the device's clock, in seconds from 1970; a lease counts from here on.
    package var creationDate: UInt32
    /// The state of the playback; nil if the device sent an unknown value.
    package var state: State?
    /// The same for all SPCs of one playback.
    package var sessionID: UInt64

    /// Reads the value of the TLLV: date, state and session.
    init?(_ value: ByteBuffer) {
        var rest = value
        guard let (date, state, session) = rest.readMultipleIntegers(as: (UInt32, UInt32, UInt64).self) else {
            return nil
        }
        creationDate = date
        self.state = State(rawValue: state)
        sessionID = session
    }
}
