/// Bytes that are not in memory.
package struct StoredBody: Hashable, Sendable {
    /// The path, below the channel's name.
    let path: String
    let byteCount: Int
    let store: any BodyStore

    package init(path: String, byteCount: Int, store: any BodyStore) {
        (self.path, self.byteCount, self.store) = (path, byteCount, store)
    }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.path == rhs.path && lhs.byteCount == rhs.byteCount }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(byteCount)
    }
}
