package import MediaCore
package import NIOCore
package import Playlists

/// What one rendition has for one slot.
package struct PublishedSegment: Sendable {
    /// UTC of its first sample, counted from 1970.
    package var programDateTime: MediaTime
    package var duration: SegmentDuration
    package var content: Content
    /// The media initialization section that its media needs.
    package var initialization: InitializationSection?
    /// Nil where its media is clear.
    package var key: EncryptionKey?
    /// What stands in for media of the feed; nil where it is the feed's own.
    package var filler: Filler?
    /// Whether the feed's media was not all there, or had a hole.
    package var isPartial: Bool
    /// How its input was chosen, for a later process or a peer to choose alike; nil where there is no choice.
    package var selection: SourceSelection?

    /// Media that no input delivered.
    package enum Filler: String, Hashable, Sendable {
        /// From a prepared file.
        case slate
        /// The last key frame again, with silence.
        case hold
    }

    package enum Content: Sendable {
        /// The segment's bytes as players get them.
        case media(ByteBuffer)
        /// There is no media for this slot. Initialization section and key are those of the segment before.
        case gap
    }

    /// A media initialization section; the same name always stands for the same bytes.
    package struct InitializationSection: Sendable {
        /// The last component of its path: `init-HASH.mp4`.
        package var name: String
        package var bytes: ByteBuffer
        /// Equal for equal decoder configurations, whatever the key: what a later process compares with.
        package var fingerprint: String

        /// Where there is no fingerprint the name stands for it.
        package init(name: String, bytes: ByteBuffer, fingerprint: String? = nil) {
            self.name = name
            self.bytes = bytes
            self.fingerprint = fingerprint ?? name
        }
    }

    package init(
        programDateTime: MediaTime,
        duration: SegmentDuration,
        content: Content,
        initialization: InitializationSection? = nil,
        key: EncryptionKey? = nil,
        filler: Filler? = nil,
        isPartial: Bool = false,
        selection: SourceSelection? = nil
    ) {
        self.programDateTime = programDateTime
        self.duration = duration
        self.content = content
        self.initialization = initialization
        self.key = key
        self.filler = filler
        self.isPartial = isPartial
        self.selection = selection
    }

    /// Nil in a gap.
    package var media: ByteBuffer? {
        switch content {
        case .media(let bytes): bytes
        case .gap: nil
        }
    }
}
