import MediaCore
import NIOCore

/// Which paths there are and what they name, with the bytes of it that are in memory counted.
///
/// A path is there as often as it was retained: an initialization section stays while any segment needs it.
struct ResourceTable {
    private var entries: [String: Entry] = [:]
    /// The bytes of all bodies in memory.
    private(set) var bytes = 0

    struct Entry {
        /// Nil for a segment that is a gap.
        var resource: Resource?
        fileprivate var references = 1
    }

    subscript(path: String) -> Entry? { entries[path] }

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
        if let text = resource.text, entries[path]?.resource?.text === text { return }
        remove(path)
        insert(path, resource)
    }

    mutating func remove(_ path: String) {
        guard let resource = entries.removeValue(forKey: path)?.resource else { return }
        bytes -= resource.byteCount
    }

    /// Leaves a body to a store.
    mutating func move(_ path: String, to store: any BodyStore) {
        bytes -= entries[path]?.resource?.byteCount ?? 0
        entries[path]?.resource?.move(from: path, to: store)
        bytes += entries[path]?.resource?.byteCount ?? 0
    }

    /// States when a path may be gone.
    mutating func setExpiry(_ path: String, _ time: MediaTime) {
        entries[path]?.resource?.expires = time
    }

    private mutating func insert(_ path: String, _ resource: Resource?) {
        entries[path] = Entry(resource: resource)
        guard let resource else { return }
        bytes += resource.byteCount
    }
}
