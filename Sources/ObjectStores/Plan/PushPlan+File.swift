import Presentation

extension PushPlan {
    struct File: Sendable {
        var info: SavedWindow.File
        /// The time at which it was published.
        var since: Instant
        /// True if an earlier process may have stored the object.
        var isUnknown = false
        /// True if the store may have taken the object although no answer came.
        var isDoubtful = false
        /// True if the origin serves the object.
        var isServed = true
        /// The bytes of the object in the backlog on disk.
        var keptBytes: Int?
        /// True if the backlog has no room for it: it is sent only while the origin serves it.
        var isShed = false
    }

    /// A file that the origin no longer serves, and that is deleted in the store.
    struct Expired: Sendable {
        var info: SavedWindow.File
        /// True if the store is known to have it.
        var isThere: Bool
        /// True if an earlier process may have left it; nothing waits for its deletion.
        var isLeftover = false
    }
}
