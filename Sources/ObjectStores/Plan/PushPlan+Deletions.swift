import MediaCore
import Presentation

/// Deletions of objects in the store.
extension PushPlan {
    /// The most files that wait to be deleted; further ones are left to a rule of the store.
    private static let mostExpired = 100_000

    /// Notes that a file is to be deleted, unless files stay in the store.
    mutating func withdraw(_ file: SavedWindow.File, isThere: Bool) {
        guard expiry == .delete, expired.count + refused.count < Self.mostExpired else { return }
        expired[file.path] = Expired(info: file, isThere: isThere)
    }

    /// Has segments of an earlier process deleted once there is nothing else to delete, a slot at a time.
    private mutating func withdrawLeftovers() {
        guard expired.isEmpty, let files = leftovers?.next() else { return }
        for file in files where self.files[file.path] == nil {
            expired[file.path] = Expired(info: file, isThere: false, isLeftover: true)
        }
        if leftovers?.isEmpty == true { leftovers = nil }
    }

    /// Notes that a file stays, because the origin serves it again.
    ///
    /// - Returns: The file as it was to be deleted; nil if it was not.
    mutating func recall(_ path: String) -> Expired? {
        let refused = refused.removeValue(forKey: path)
        deletions.forget(path)
        return expired.removeValue(forKey: path) ?? refused.map { Expired(info: $0, isThere: false) }
    }

    /// True if there is an object to delete that the store has not refused.
    var hasToDelete: Bool {
        deletions.refusal == nil
            && (stored.keys.contains(where: canDelete)
                || areAllPlaylistsThere && expired.values.contains { !$0.isLeftover && mayGo($0.info) })
    }

    /// Returns true if a playlist can be deleted, and the store has not refused that.
    private func canDelete(_ path: String) -> Bool { !deletions.isRefused(path) && canWithdraw(path) }

    /// Returns the next deletion; nil if there is none, or not now.
    mutating func nextDeletion(_ now: Instant) -> Action? {
        guard deletions.mayBegin(at: now) else { return nil }
        var next = stored.keys.first { isFree($0) && canDelete($0) }
        if next == nil, areAllPlaylistsThere {
            withdrawLeftovers()
            next = expired.first { isFree($0.key) && mayGo($0.value.info) }?.key
        }
        if next == nil { next = nextRefused(now) }
        guard let path = next else { return nil }
        // A request without an answer may have been carried out.
        stored[path]?.beginDeletion()
        expired[path]?.isThere = false
        deletions.begin()
        return .delete(path: path)
    }

    /// Returns a refused object whose deletion is tried again now; nil if there is none.
    private mutating func nextRefused(_ now: Instant) -> String? {
        guard let path = deletions.nextRefused(at: now) else { return nil }
        if isFree(path), refused[path].map({ mayGo($0) }) ?? canWithdraw(path) { return path }
        if isToGo(path) { deletions.putBack(path) } else { deletions.forget(path) }
        return nil
    }

    /// Returns true if an object is to be deleted once no playlist names it.
    private func isToGo(_ path: String) -> Bool {
        expired[path] != nil || refused[path] != nil || (stored[path] != nil && playlists?[path] == nil)
    }

    /// Notes that the store refuses to delete an object, which from now on comes after all others.
    ///
    /// - Parameters:
    ///   - path: The object.
    ///   - problem: The reason.
    ///   - start: The time at which the request was sent.
    ///   - now: The time.
    ///   - chance: Between 0 and 1.
    mutating func refuse(
        _ path: String,
        _ problem: StoreProblem,
        sentAt start: Instant,
        now: Instant,
        chance: Double
    ) {
        if let file = expired.removeValue(forKey: path) { refused[path] = file.info }
        // The file may be served again by now.
        guard isToGo(path) else { return }
        deletions.refused(path, problem, sentAt: start, now: now, chance: chance)
    }
}
