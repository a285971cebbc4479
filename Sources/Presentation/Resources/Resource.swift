package import MediaCore
import NIOCore

/// What a path names: bytes that never change.
package struct Resource: Hashable, Sendable {
    package var kind: Kind
    package var body: Body
    /// Of what is compressed for those who accept that; of others nil.
    private var compressible: CompressibleBody?
    /// The media type.
    package var contentType: String
    /// A strong entity tag with its quotes: a hash of the body, equal wherever the bytes are.
    package var entityTag: String
    /// From when on it may be gone; nil while it is listed.
    package var expires: MediaTime?

    package init(
        kind: Kind,
        body: Body,
        contentType: String,
        entityTag: String
    ) {
        (self.kind, self.body, self.contentType, self.entityTag) = (kind, body, contentType, entityTag)
    }

    package enum Kind: Hashable, Sendable {
        case multivariantPlaylist, mediaPlaylist, segment, initialization
    }

    /// Whether it has a compressed form, where that gains anything.
    package var isCompressible: Bool { compressible != nil }

    /// The body compressed, which takes its time when it is first asked for; nil where it gains nothing.
    package var gzip: CompressibleBody.Compressed? { compressible?.compressed }

    /// All bytes that are in memory for it, but for what is compressed when somebody asks.
    package var byteCount: Int { body.memory?.readableBytes ?? 0 }

    /// The compressed body follows from the other.
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

    /// A playlist.
    ///
    /// Apple's authoring specification § 10: playlists must be compressed.
    init(_ kind: Kind, playlist text: CompressedText) {
        self.init(
            kind: kind,
            body: .memory(text.body),
            contentType: "application/vnd.apple.mpegurl",
            entityTag: ContentHash.whole(of: text.body).entityTag
        )
        compressible = CompressibleBody(text, entityTag: entityTag)
    }
}
