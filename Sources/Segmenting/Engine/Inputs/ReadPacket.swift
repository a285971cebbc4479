package import Codecs
package import MediaCore

/// A packet of a track with its content.
package struct ReadPacket: Sendable {
    package var info: PacketInfo
    package var content: Content

    package enum Content: Sendable {
        /// The samples that it carries, possibly none.
        case units([TrackReader.Unit])
        /// The packet's bytes are not a sample.
        ///
        /// - Parameters:
        ///   - isSync: True for a picture that decoding may start at; nil if it is not seen to be a picture.
        ///   - unsupported: The name of an unsupported format.
        case unreadable(isSync: Bool?, unsupported: String?)
    }

    package init(info: PacketInfo, content: Content) {
        self.info = info
        self.content = content
    }
}
