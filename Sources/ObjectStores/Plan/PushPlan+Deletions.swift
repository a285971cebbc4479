/// Deletions of objects in the store.
extension PushPlan {
    /// True if something can be deleted, and the store is not known to refuse that.
    var hasToDelete: Bool {
        deletions.refusal == nil
            && (stored.keys.contains(where: canWithdraw) || expired.values.contains { mayGo($0.info) })
    }

    /// Returns the next deletion; nil if there is none, or not now.
    mutating func nextDeletion(_ now: Instant) -> Action? {
        guard deletions.mayBegin(at: now) else { return nil }
        // Of a request without an answer nobody knows if it was heeded.
        if let path = stored.keys.first(where: { isFree($0) && canWithdraw($0) }) {
            stored[path]?.beginDeletion()
            deletions.begin()
            return .delete(path: path)
        }
        if let (path, _) = expired.first(where: { isFree($0.key) && mayGo($0.value.info) }) {
            expired[path]?.isThere = false
            deletions.begin()
            return .delete(path: path)
        }
        return nil
    }
}
