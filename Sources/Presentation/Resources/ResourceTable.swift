import MediaCore
import NIOCore

/// The paths and their resources, with a count of the bytes in memory.
///
/// A path counts how often it was retained: an initialization section stays while any segment needs it. Changing a
/// table that has copies copies only the buckets that change, however many paths there are.
struct ResourceTable: Sendable {
    private var buckets = Self.none
    /// The bytes of all bodies in memory.
    private(set) var bytes = 0

    /// The number of buckets; with a day of seven renditions each has some three hundred paths.
    private static var bucketCount: Int { 512 }
    private static let none = Array(repeating: [String: Entry](), count: bucketCount)

    struct Entry: Sendable {
        /// The resource; nil for a segment that is a gap.
        var resource: Resource?
        fileprivate var references = 1
    }

    subscript(path: String) -> Entry? { buckets[Self.bucket(of: path)][path] }

    private static func bucket(of path: String) -> Int {
        var hash: UInt32 = 0x811C_9DC5
        for byte in path.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash) % bucketCount
    }

    /// Counts one more user of a path; the first one brings its resource.
    mutating func retain(_ path: String, _ resource: @autoclosure () -> Resource?) {
        let bucket = Self.bucket(of: path)
        if buckets[bucket][path] != nil {
            buckets[bucket][path]?.references += 1
        } else {
            insert(path, resource())
        }
    }

    /// Counts one user less; the last one takes the resource away.
    ///
    /// - Returns: True if the path named something, and no longer does.
    mutating func release(_ path: String) -> Bool {
        let bucket = Self.bucket(of: path)
        guard let entry = buckets[bucket][path] else { return false }
        if entry.references > 1 {
            buckets[bucket][path]?.references -= 1
            return false
        }
        remove(path)
        return entry.resource != nil
    }

    /// Puts a resource in a path's place, whether there was one or not.
    mutating func replace(_ path: String, with resource: Resource) {
        if let text = resource.text, self[path]?.resource?.text === text { return }
        remove(path)
        insert(path, resource)
    }

    mutating func remove(_ path: String) {
        guard let resource = buckets[Self.bucket(of: path)].removeValue(forKey: path)?.resource else { return }
        bytes -= resource.byteCount
    }

    /// Leaves a body to a store.
    mutating func move(_ path: String, to store: any BodyStore) {
        bytes -= self[path]?.resource?.byteCount ?? 0
        buckets[Self.bucket(of: path)][path]?.resource?.move(from: path, to: store)
        bytes += self[path]?.resource?.byteCount ?? 0
    }

    /// States the time from which on a path may be gone.
    mutating func setExpiry(_ path: String, _ time: MediaTime) {
        buckets[Self.bucket(of: path)][path]?.resource?.expires = time
    }

    private mutating func insert(_ path: String, _ resource: Resource?) {
        buckets[Self.bucket(of: path)][path] = Entry(resource: resource)
        guard let resource else { return }
        bytes += resource.byteCount
    }
}
