import Files
import MediaCore
import NIOCore
import Presentation
import Synchronization

/// The compressed playlists of finished recordings: each is compressed once, and the least recently used one is
/// dropped.
final class CompressedPlaylists: Sendable {
    /// The bytes of the longest text that is compressed; longer ones are sent as they are.
    static let longest = 4 * 1024 * 1024
    /// Bytes for the facts about a playlist, in addition to its text.
    static let overhead = 512

    /// A playlist, whose text never changes.
    struct Name: Hashable, Sendable {
        var channel: String
        var path: String
        /// The length of its text, in bytes.
        var byteCount: Int
    }

    private let compress: @Sendable (ByteBuffer) -> ByteBuffer?
    /// The compressed forms; nil where compression gains nothing.
    private let forms: Mutex<RecentlyUsed<Name, PlaylistForm?>>
    /// Held while a text is compressed, so that none is compressed twice, and all take one processor at most.
    private let compressing = Mutex(())

    /// - Parameters:
    ///   - capacity: The most bytes that are kept.
    ///   - compress: Compresses a text as gzip; nil if that fails.
    init(
        capacity: Int = 32 * 1024 * 1024,
        compress: @escaping @Sendable (ByteBuffer) -> ByteBuffer? = { GzipPart($0)?.member }
    ) {
        self.compress = compress
        forms = Mutex(RecentlyUsed(capacity: capacity))
    }

    /// The most bytes that are kept.
    var capacity: Int { forms.withLock(\.capacity) }

    /// The bytes that are kept.
    var byteCount: Int { forms.withLock(\.byteCount) }

    /// Returns a kept compressed playlist; nil if there is none.
    func known(_ name: Name) -> PlaylistForm? { forms.withLock { $0.use(name) } ?? nil }

    /// Returns a compressed playlist; compressing it takes time.
    ///
    /// - Parameters:
    ///   - name: The playlist.
    ///   - read: Reads its text; called if it is not known yet.
    /// - Returns: The compressed form; nil if the text is too long, or compression gains nothing.
    /// - Throws: The error of `read`.
    func form(of name: Name, _ read: () throws(FileError) -> ByteBuffer) throws(FileError) -> PlaylistForm? {
        if name.byteCount > Self.longest { return nil }
        if let known = forms.withLock({ $0.use(name) }) { return known }
        // A disk that stands still must not hold up other playlists.
        let text = try read()
        return compressing.withLock { _ in
            if let known = forms.withLock({ $0.use(name) }) { return known }
            let gzip = compress(text).flatMap { $0.readableBytes < text.readableBytes ? $0 : nil }
            let form = gzip.map { PlaylistForm(gzip: $0, ContentHash.whole(of: text)) }
            let byteCount = Self.overhead + (form?.body.readableBytes ?? 0)
            forms.withLock { $0.insert(form, byteCount: byteCount, for: name) }
            return form
        }
    }
}
