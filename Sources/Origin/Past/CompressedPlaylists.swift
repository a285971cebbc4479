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

    private struct Entry {
        /// The compressed form; nil if compression gains nothing.
        var form: PlaylistForm?
        var lastUse: UInt64

        var byteCount: Int { CompressedPlaylists.overhead + (form?.body.readableBytes ?? 0) }
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var byteCount = 0
        /// Counts the uses.
        var clock: UInt64 = 0

        mutating func use(_ name: Name) -> Entry? {
            clock += 1
            entries[name]?.lastUse = clock
            return entries[name]
        }

        mutating func insert(_ form: PlaylistForm?, for name: Name) {
            clock += 1
            let entry = Entry(form: form, lastUse: clock)
            byteCount += entry.byteCount - (entries.updateValue(entry, forKey: name)?.byteCount ?? 0)
        }

        /// Drops the least recently used playlists.
        mutating func shrink(to limit: Int) {
            for (name, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
                if byteCount <= limit { return }
                byteCount -= entry.byteCount
                entries[name] = nil
            }
        }
    }

    /// The most bytes that are kept.
    let capacity: Int
    private let compress: @Sendable (ByteBuffer) -> ByteBuffer?
    private let state = Mutex(State())
    /// Held while a text is compressed, so that none is compressed twice, and all take one processor at most.
    private let compressing = Mutex(())

    /// - Parameters:
    ///   - capacity: The most bytes that are kept.
    ///   - compress: Compresses a text as gzip; nil if that fails.
    init(
        capacity: Int = 32 * 1024 * 1024,
        compress: @escaping @Sendable (ByteBuffer) -> ByteBuffer? = { GzipPart($0)?.member }
    ) {
        (self.capacity, self.compress) = (capacity, compress)
    }

    /// The bytes that are kept.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns a kept compressed playlist; nil if there is none.
    func known(_ name: Name) -> PlaylistForm? { state.withLock { $0.use(name)?.form } }

    /// Returns a compressed playlist; compressing it takes time.
    ///
    /// - Parameters:
    ///   - name: The playlist.
    ///   - read: Reads its text; called if it is not known yet.
    /// - Returns: The compressed form; nil if the text is too long, or compression gains nothing.
    /// - Throws: The error of `read`.
    func form(of name: Name, _ read: () throws(FileError) -> ByteBuffer) throws(FileError) -> PlaylistForm? {
        if name.byteCount > Self.longest { return nil }
        if let known = state.withLock({ $0.use(name) }) { return known.form }
        // A disk that stands still must not hold up other playlists.
        let text = try read()
        return compressing.withLock { _ in
            if let known = state.withLock({ $0.use(name) }) { return known.form }
            let gzip = compress(text).flatMap { $0.readableBytes < text.readableBytes ? $0 : nil }
            let form = gzip.map { PlaylistForm(gzip: $0, ContentHash.whole(of: text)) }
            state.withLock { state in
                state.insert(form, for: name)
                // A quarter is removed at once, so that this is rare.
                if state.byteCount > capacity { state.shrink(to: capacity / 4 * 3) }
            }
            return form
        }
    }
}
