package import MediaCore
package import NIOCore
package import Playlists

/// A change of the media that viewers have; all changes of a channel have one order.
package enum Publication: Sendable {
    /// A snapshot of all that is served: the first publication of a consumer, and one that replaces all before it.
    case window(StreamSnapshot)
    /// A part of a slot that is still open.
    case part(PartPublication)
    /// A slot, or several that are all gaps.
    case slots(SlotPublication)
    /// Slots that no playlist lists, because there is nothing to begin with yet.
    case passedOver(PassedOverPublication)
    /// The playlists that follow from all publications before.
    case playlists(PlaylistsPublication)
    /// Slots that are no longer served.
    case expired(ExpiredPublication)
    /// No slot will follow.
    case ended

    /// The kinds of publications that a consumer wants.
    package struct Kinds: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        package static let window = Kinds(rawValue: 1 << 0)
        package static let part = Kinds(rawValue: 1 << 1)
        package static let slots = Kinds(rawValue: 1 << 2)
        package static let passedOver = Kinds(rawValue: 1 << 3)
        package static let playlists = Kinds(rawValue: 1 << 4)
        package static let expired = Kinds(rawValue: 1 << 5)
        package static let ended = Kinds(rawValue: 1 << 6)
    }

    package var kind: Kinds {
        switch self {
        case .window: .window
        case .part: .part
        case .slots: .slots
        case .passedOver: .passedOver
        case .playlists: .playlists
        case .expired: .expired
        case .ended: .ended
        }
    }
}

/// A part of the slot that is open in one rendition.
package struct PartPublication: Sendable {
    package var rendition: RenditionID
    package var part: PublishedPart
}

/// Slots that playlists list from now on.
package struct SlotPublication: Sendable {
    /// The slots in order, with the media of every rendition.
    package var slots: [PublishedSlot]
    /// True for gaps that stand for slots which could not be published.
    package var isBridge: Bool
    /// The window with the slots; it shares its storage with other publications.
    package var window: SavedWindow
    /// The bytes that the slots bring, by the paths that their lines name.
    package var bodies: [String: ByteBuffer]
    /// The oldest slot that a ``BodyStore`` has to keep; nil if there is no store, so that only listed slots count.
    package var oldestServed: MediaSequenceNumber?
    /// The time of publication, in UTC.
    package var publishedAt: MediaTime

    /// The files that the slots' lines name, each path once.
    package var files: [SavedWindow.File] { window.files(ofNewest: slots.count) }
}

/// Slots that no playlist will list.
package struct PassedOverPublication: Sendable {
    package var slots: [PublishedSlot]
    /// The renditions of the slots.
    package var renditions: [RenditionDescription]
    /// The time of publication, in UTC.
    package var publishedAt: MediaTime
}

/// All playlists of a channel, by path; those of media list no parts.
package struct PlaylistsPublication: Sendable {
    package var playlists: [String: Playlist]

    package struct Playlist: Sendable {
        let content: PlaylistText
        package let names: Names
        /// The text, made when it is wanted.
        package var text: ByteBuffer { content.plain.body }
        /// The entity tag of its text (``Resource/entityTag``).
        package var entityTag: String { content.plain.entityTag }

        init(_ text: PlaylistText, names: Names) { (content, self.names) = (text, names) }

        /// A playlist of this text, for tests.
        package init(text: String, names: Names) {
            self.init(PlaylistText(text: text), names: names)
        }
    }

    /// The resources that a playlist makes players fetch.
    package enum Names: Hashable, Sendable {
        /// The media of a rendition in these slots, with its initialization sections.
        case slots(RenditionID, Range<MediaSequenceNumber>)
        /// Other playlists, by path.
        case playlists(Set<String>)
    }
}

/// Slots that have left the playlists, and that no player can still want.
package struct ExpiredPublication: Sendable {
    /// The numbers of the slots, in order.
    package var slots: [MediaSequenceNumber] = []
    /// The paths that named something until now.
    package var paths: [String] = []
}
