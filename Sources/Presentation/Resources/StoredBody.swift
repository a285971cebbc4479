import Files
import NIOCore

/// Bytes that are not in memory.
package struct StoredBody: Hashable, Sendable {
    /// The path, below the channel's name.
    let path: String
    /// The bytes of the path.
    private let range: Range<Int>
    private let store: any BodyStore

    var byteCount: Int { range.count }

    package init(path: String, byteCount: Int, store: any BodyStore) {
        self.init(path: path, range: 0..<byteCount, store: store)
    }

    private init(path: String, range: Range<Int>, store: any BodyStore) {
        (self.path, self.range, self.store) = (path, range, store)
    }

    /// The bytes in a range of these.
    func slice(_ slice: Range<Int>) -> StoredBody {
        StoredBody(
            path: path,
            range: range.lowerBound + slice.lowerBound..<range.lowerBound + slice.upperBound,
            store: store
        )
    }

    /// The place of the bytes in a file; nil if the store does not say it.
    var place: FilePlace? { store.place(of: range, in: path) }

    func read() throws(FileError) -> ByteBuffer { try store.read(path, range) }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.path == rhs.path && lhs.range == rhs.range }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(range)
    }
}
