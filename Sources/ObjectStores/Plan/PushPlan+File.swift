import Presentation

extension PushPlan {
    struct File: Sendable {
        var info: SavedWindow.File
        /// The time from which on it was to be sent.
        var since: Instant
        /// True if an earlier process may have stored it.
        var isUnknown = false
        /// True if the store may have taken it without an answer.
        var isDoubtful = false
        /// True if the origin serves it.
        var isServed = true
        /// The bytes of it that are on disk for later.
        var keptBytes: Int?
        /// True if there was no room on disk for it: it is sent only while the origin serves it.
        var isShed = false
    }

    /// A file that is no longer served, and is to be deleted in the store.
    struct Expired: Sendable {
        var info: SavedWindow.File
        /// True if it is known to be there.
        var isThere: Bool
    }
}
