package import MediaCore
package import NIOCore

/// What a path names: bytes that never change.
package struct Resource: Hashable, Sendable {
    package var kind: Kind
    package var body: Body
    /// The body compressed; nil where that gains nothing.
    package var gzip: ByteBuffer?
    /// The media type.
    package var contentType: String
    /// A strong entity tag with its quotes: a hash of the body, equal wherever the bytes are.
    package var entityTag: String
    /// The entity tag of the compressed body: another representation, so another tag (RFC 9110 § 8.8.3.3).
    package var gzipEntityTag: String?
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

    /// All bytes that are in memory for it.
    package var byteCount: Int { (body.memory?.readableBytes ?? 0) + (gzip?.readableBytes ?? 0) }
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

    /// A playlist, compressed here once for all who ask.
    init(_ kind: Kind, playlist text: CompressedText) {
        let body = text.body
        let hash = ContentHash(of: body)
        self.init(
            kind: kind,
            body: .memory(body),
            contentType: "application/vnd.apple.mpegurl",
            entityTag: "\"\(hash)\""
        )
        // Apple's authoring specification § 10: playlists must be compressed.
        if let gzip = text.gzip, gzip.readableBytes < body.readableBytes {
            self.gzip = gzip
            gzipEntityTag = "\"\(hash)-gzip\""
        }
    }
}
