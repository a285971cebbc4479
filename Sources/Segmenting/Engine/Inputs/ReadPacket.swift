package import Codecs
package import MediaCore

/// A packet of a track with what was found in it.
package struct ReadPacket: Sendable {
    package var info: PacketInfo
    package var content: Content

    package enum Content: Sendable {
        /// The samples that it carries, which may be none.
        case units([TrackReader.Unit])
        /// Its bytes make no sample.
        ///
        /// - Parameters:
        ///   - isSync: Whether it is a picture that decoding may start at; nil if it is not seen to be a picture.
        ///   - unsupported: What it is that is not carried.
        case unreadable(isSync: Bool?, unsupported: String?)
    }

    package init(info: PacketInfo, content: Content) {
        self.info = info
        self.content = content
    }
}
