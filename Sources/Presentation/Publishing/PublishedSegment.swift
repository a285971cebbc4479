package import MediaCore
package import NIOCore
package import Playlists

/// The segment, or gap, of one rendition for one slot.
package struct PublishedSegment: Sendable {
    /// The time of its first sample, in UTC from 1970 on.
    package var programDateTime: MediaTime
    package var duration: SegmentDuration
    package var content: Content
    /// The media initialization section that its media needs.
    package var initialization: InitializationSection?
    /// A fingerprint of the decoder configuration, independent of keys; nil in a gap.
    ///
    /// A later process compares it with the fingerprint of its own segments.
    package var fingerprint: String?
    /// The keys, as ``MediaPlaylist/Segment/keys``.
    package var keys: [EncryptionKey]
    /// The bytes of `content` that hold its first independent picture, and all that decoding it needs.
    package var iFrame: Range<Int>?
    /// True if all of it can be decoded without the segment before.
    package var isIndependent: Bool
    /// The replacement for media of the feed; nil if it is the feed's own.
    package var filler: Filler?
    /// True if the feed's media was incomplete, or had a hole.
    package var isPartial: Bool
    /// The choice of its input, for a later process or a peer to choose alike; nil if there is no choice.
    package var selection: SourceSelection?
    /// The last key frame of video, in the clear; nil if thumbnails are off.
    package var keyFrame: KeyFrame?

    /// Media that no input delivered.
    package enum Filler: String, Hashable, Sendable {
        /// Media of a prepared file.
        case slate
        /// The last key frame again, with silence.
        case hold
    }

    package enum Content: Sendable {
        /// The segment's bytes as players get them.
        case media(ByteBuffer)
        /// A gap: the slot has no media. Initialization section and keys are those of the segment before.
        case gap
    }

    /// A media initialization section; the same name always stands for the same bytes.
    package struct InitializationSection: Sendable {
        /// The last component of its path: `init-HASH.mp4`.
        package var name: String
        package var bytes: ByteBuffer
        /// The keys, as ``MediaInitialization/keys``.
        package var keys: [EncryptionKey]

        package init(name: String, bytes: ByteBuffer, keys: [EncryptionKey] = []) {
            self.name = name
            self.bytes = bytes
            self.keys = keys
        }
    }

    package init(
        programDateTime: MediaTime,
        duration: SegmentDuration,
        content: Content,
        initialization: InitializationSection? = nil,
        fingerprint: String? = nil,
        keys: [EncryptionKey] = [],
        iFrame: Range<Int>? = nil,
        isIndependent: Bool = true,
        filler: Filler? = nil,
        isPartial: Bool = false,
        selection: SourceSelection? = nil
    ) {
        self.programDateTime = programDateTime
        self.duration = duration
        self.content = content
        self.initialization = initialization
        // Without a fingerprint, the section's name stands for its content.
        self.fingerprint = fingerprint ?? initialization?.name
        self.keys = keys
        self.iFrame = iFrame
        self.isIndependent = isIndependent
        self.filler = filler
        self.isPartial = isPartial
        self.selection = selection
    }

    /// The segment's bytes; nil in a gap.
    package var media: ByteBuffer? {
        switch content {
        case .media(let bytes): bytes
        case .gap: nil
        }
    }
}
