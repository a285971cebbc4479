import MediaCore
import NIOCore

/// Which paths there are and what they name, with the bytes of it that are in memory counted.
///
/// A path is there as often as it was retained: an initialization section stays while any segment needs it.
struct ResourceTable {
    private var entries: [String: Entry] = [:]
    /// The bytes of all bodies in memory.
    private(set) var bytes = 0
    /// For each of those who want to know, the paths that came, went or changed since it last took them.
    private var changed: [Set<String>]

    struct Entry {
        /// Nil for a segment that is a gap.
        var resource: Resource?
        fileprivate var references = 1
    }

    init(followerCount: Int = 0) {
        changed = Array(repeating: [], count: followerCount)
    }

    subscript(path: String) -> Entry? { entries[path] }

    /// What has changed since it was last asked: first what others refer to, playlists after it, removals last.
    mutating func takeChanges(for follower: Int) -> [ResourceChange] {
        let paths = changed[follower]
        changed[follower] = []
        let changes = paths.map { ResourceChange(path: $0, resource: entries[$0]?.resource) }
        return changes.sorted { ($0.rank, $0.path) < ($1.rank, $1.path) }
    }

    /// Counts one more user of a path; the first one brings its resource.
    mutating func retain(_ path: String, _ resource: @autoclosure () -> Resource?) {
        if entries[path] != nil {
            entries[path]?.references += 1
        } else {
            insert(path, resource())
        }
    }

    /// Counts one user less; the last one takes the resource away.
    ///
    /// - Returns: True if the path named something, and no longer does.
    mutating func release(_ path: String) -> Bool {
        guard let entry = entries[path] else { return false }
        if entry.references > 1 {
            entries[path]?.references -= 1
            return false
        }
        remove(path)
        return entry.resource != nil
    }

    /// Puts another resource in a path's place, whether there was one or not.
    mutating func replace(_ path: String, with resource: Resource) {
        if entries[path]?.resource?.entityTag == resource.entityTag { return }
        remove(path)
        insert(path, resource)
    }

    mutating func remove(_ path: String) {
        guard let resource = entries.removeValue(forKey: path)?.resource else { return }
        bytes -= resource.byteCount
        for follower in changed.indices { changed[follower].insert(path) }
    }

    /// Leaves a body to a store.
    mutating func move(_ path: String, to store: any BodyStore) {
        guard let resource = entries[path]?.resource, let body = resource.body.memory else { return }
        bytes -= body.readableBytes
        let stored = StoredBody(path: path, byteCount: body.readableBytes, store: store)
        entries[path]?.resource?.body = .stored(stored)
        for follower in changed.indices { changed[follower].insert(path) }
    }

    /// States when a path may be gone.
    mutating func setExpiry(_ path: String, _ time: MediaTime) {
        entries[path]?.resource?.expires = time
    }

    private mutating func insert(_ path: String, _ resource: Resource?) {
        entries[path] = Entry(resource: resource)
        guard let resource else { return }
        bytes += resource.byteCount
        for follower in changed.indices { changed[follower].insert(path) }
    }
}
