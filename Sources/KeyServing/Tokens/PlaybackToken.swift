package import ContentProtection
package import MediaCore

/// A viewer's rights, as the issuer of a token grants them.
///
/// It does not keep the token itself, so that no description, dump or interpolation shows it.
package struct PlaybackToken: Hashable, Sendable {
    /// Tells it from others: a hash of the bytes that are signed, which has no other spelling.
    package var identity: Int
    /// The issuer (`iss`).
    package var issuer: String?
    /// The servers that it is meant for (`aud`: one, or an array).
    package var audiences: Set<String>
    /// The subject that it was issued to (`sub`), for the record.
    package var subject: String?
    /// Names of channels (`channel`: one, or an array).
    package var channels: Set<String>
    /// The classes of tracks whose keys it is good for (`classes`); all where the token does not say.
    package var classes: Set<KeyClass>
    /// The moment from which on it is good for nothing (`exp`).
    package var expires: MediaTime
    /// The moment until which it is good for nothing (`nbf`).
    var notBefore: MediaTime?
    /// True if keys may be stored for playback without a network (`persistent`).
    package var isPersistent: Bool
    var durations: Durations

    /// The durations for which keys are valid, in seconds, by the issuer; nil is no limit of its own.
    struct Durations: Hashable, Sendable {
        /// The seconds for which a key may be used after the request (`lease`).
        var lease: UInt32?
        /// The seconds from when playback began (`rental`).
        var rental: UInt32?
        /// The seconds from when a key was stored (`storage`).
        var storage: UInt32?
        /// The time of a stored key from when it was first played (`playback`).
        var playback: UInt32?
    }

    /// Checks that it is good at a moment.
    ///
    /// - Throws: ``TokenRefusal/expired`` or ``TokenRefusal/early(seconds:)``.
    package func check(at now: MediaTime) throws(TokenRefusal) {
        if now >= expires { throw .expired }
        if let notBefore, now < notBefore { throw .early(seconds: (notBefore - now).secondsRoundedUp) }
    }

    /// Checks that it is good for a channel.
    ///
    /// - Throws: ``TokenRefusal/otherChannel``.
    package func check(channel: String) throws(TokenRefusal) {
        if !channels.contains(channel) { throw .otherChannel }
    }

    /// Checks that it is good for a key of these tracks.
    ///
    /// - Throws: ``TokenRefusal/otherClass``.
    package func check(_ keyClass: KeyClass) throws(TokenRefusal) {
        if !classes.contains(keyClass) { throw .otherClass }
    }
}

extension MediaTime {
    /// Whole seconds, at least 1.
    package var secondsRoundedUp: Int { max(1, Int((ticks + Self.timescale - 1) / Self.timescale)) }
}
