package import MediaCore
import NIOCore

/// The bytes that a path names; they never change.
package struct Resource: Hashable, Sendable {
    package var kind: Kind
    private var content: Content
    /// The media type.
    package var contentType: String
    /// The time from which on it may be gone; nil while it is listed.
    package var expires: MediaTime?
    /// The head for bytes that are sent from memory; each form of a text has a separate one.
    package private(set) var head: ServedHead.Place?

    package init(
        kind: Kind,
        body: Body,
        contentType: String,
        entityTag: String
    ) {
        (self.kind, self.contentType) = (kind, contentType)
        content = .bytes(body, entityTag: entityTag)
        if body.memory != nil { head = ServedHead.Place() }
    }

    /// The media type of playlists.
    package static let playlistType = "application/vnd.apple.mpegurl"

    private enum Content: Sendable {
        case bytes(Body, entityTag: String)
        case text(PlaylistText)
    }

    package enum Kind: Hashable, Sendable {
        case multivariantPlaylist, mediaPlaylist, segment, part, initialization
    }

    /// The text of a playlist, which is made when it is first asked for; nil for media.
    package var text: PlaylistText? {
        switch content {
        case .bytes: nil
        case .text(let text): text
        }
    }

    /// The bytes; making a text takes time.
    package var body: Body {
        switch content {
        case .bytes(let body, _): body
        case .text(let text): .memory(text.plain.body)
        }
    }

    /// A strong entity tag with its quotes: a hash of the body, equal wherever the bytes are.
    package var entityTag: String {
        switch content {
        case .bytes(_, let entityTag): entityTag
        case .text(let text): text.plain.entityTag
        }
    }

    /// True if the resource has a compressed form, because compression makes it smaller.
    package var isCompressible: Bool { text != nil }

    /// The compressed body; nil if compression gains nothing.
    ///
    /// Making it takes time.
    package var gzip: PlaylistText.Representation? { text?.gzip }

    /// The bytes in memory for it, those of a text also before it is made, without its compressed form.
    package var byteCount: Int {
        switch content {
        case .bytes(let body, _): body.memory?.readableBytes ?? 0
        case .text(let text): text.byteCount
        }
    }

    /// Leaves a body in memory to a store.
    mutating func move(from path: String, to store: any BodyStore) {
        guard case .bytes(.memory(let body), let entityTag) = content else { return }
        let stored = StoredBody(path: path, byteCount: body.readableBytes, store: store)
        content = .bytes(.stored(stored), entityTag: entityTag)
        head = nil
    }

    /// Compares without the compressed body, which follows from the other.
    package static func == (lhs: Self, rhs: Self) -> Bool {
        (lhs.kind, lhs.body, lhs.contentType, lhs.entityTag, lhs.expires)
            == (rhs.kind, rhs.body, rhs.contentType, rhs.entityTag, rhs.expires)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(entityTag) }
}

extension Resource {
    /// A segment or an initialization section.
    init(_ kind: Kind, at path: String, of track: MediaKind, body: Body, entityTag: String) {
        self.init(
            kind: kind,
            body: body,
            contentType: SegmentFormat(path: path).contentType(of: track),
            entityTag: entityTag
        )
    }

    /// A part; its bytes may move to its segment, which its head does not tell.
    init(_ body: Body, of track: MediaKind, entityTag: String, head: ServedHead.Place) {
        (kind, contentType) = (.part, SegmentFormat.fragmentedMP4.contentType(of: track))
        content = .bytes(body, entityTag: entityTag)
        if body.memory != nil { self.head = head }
    }

    /// A playlist.
    ///
    /// Apple's authoring specification § 10: playlists must be compressed.
    init(_ kind: Kind, playlist text: PlaylistText) {
        (self.kind, contentType, content) = (kind, Self.playlistType, .text(text))
    }
}
