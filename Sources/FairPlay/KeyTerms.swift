package import MediaCore

/// A device's rights to use a content key.
package struct KeyTerms: Hashable, Sendable {
    /// The time for which it may decrypt with it; seconds are 1 to 2³² - 2.
    package enum Validity: Hashable, Sendable {
        /// The key is good while this playback lasts.
        case session
        /// The key is good for so many seconds from when the SPC was made, if the device does not ask again; each
        /// answer begins anew.
        case lease(seconds: UInt32)
        /// The key is good for so many seconds from when playback began.
        case rental(seconds: UInt32)
        /// The key is good until either ends.
        case leaseAndRental(lease: UInt32, rental: UInt32)
        /// The device may store the key and play without a network.
        case offline(OfflineValidity)
    }

    /// The time for which a key that is stored is good; 0 seconds are no limit.
    package struct OfflineValidity: Hashable, Sendable {
        /// The seconds from when it was stored.
        var storageSeconds: UInt32
        /// The seconds from when it was first played.
        var playbackSeconds: UInt32
        /// The server's ID of the stream that the key is for.
        var streamID: Bytes16?
        /// The server's ID of the title, the same for all its streams: devices can delete a title as a whole.
        var titleID: Bytes16?

        package init(
            storageSeconds: UInt32 = 0,
            playbackSeconds: UInt32 = 0,
            streamID: Bytes16? = nil,
            titleID: Bytes16? = nil
        ) {
            self.storageSeconds = storageSeconds
            self.playbackSeconds = playbackSeconds
            self.streamID = streamID
            self.titleID = titleID
        }
    }

    /// The protection that the way to a display must have.
    package enum HDCP: UInt64, Hashable, Sendable {
        case notRequired = 0xef72_894c_a789_5b78
        case type0 = 0x4079_1ac7_8bd5_c571
        /// The protection for Ultra HD.
        case type1 = 0x285a_0863_bba8_e1d3
    }

    package var validity: Validity
    /// The HDCP type required; nil leaves it to the device, which then requires type 0.
    var hdcp: HDCP?
    /// The least that the device must have; nil for any.
    var securityLevel: SecurityLevel?

    package init(validity: Validity = .session, hdcp: HDCP? = nil, securityLevel: SecurityLevel? = nil) {
        self.validity = validity
        self.hdcp = hdcp
        self.securityLevel = securityLevel
    }
}
