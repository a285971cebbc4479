/// Values within a limit of bytes, of which the least recently used are dropped.
package struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var byteCount: Int
        var lastUse: UInt64
    }

    /// The most bytes that it keeps.
    package let capacity: Int
    /// The bytes of all values.
    package private(set) var byteCount = 0
    private var entries: [Key: Entry] = [:]
    /// Counts the uses.
    private var clock: UInt64 = 0

    /// - Parameter capacity: The most bytes that it keeps.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns a value, which counts as used; nil if it is not kept.
    package mutating func use(_ key: Key) -> Value? {
        clock += 1
        entries[key]?.lastUse = clock
        return entries[key]?.value
    }

    /// Keeps a value, in place of another one of its key.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - byteCount: The bytes that it takes.
    ///   - key: The key.
    package mutating func insert(_ value: Value, byteCount: Int, for key: Key) {
        clock += 1
        let entry = Entry(value: value, byteCount: byteCount, lastUse: clock)
        self.byteCount += byteCount - (entries.updateValue(entry, forKey: key)?.byteCount ?? 0)
        // A quarter is removed at once, so that this is rare.
        if self.byteCount > capacity { shrink(to: capacity / 4 * 3) }
    }

    /// Drops the values of keys for which a function returns true.
    package mutating func removeAll(where isRemoved: (Key) -> Bool) {
        for (key, entry) in entries where isRemoved(key) {
            byteCount -= entry.byteCount
            entries[key] = nil
        }
    }

    private mutating func shrink(to limit: Int) {
        for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            if byteCount <= limit { return }
            byteCount -= entry.byteCount
            entries[key] = nil
        }
    }
}
