package import MediaCore

/// The time that the segments of a slot may take to be written.
package struct WritingTime: Hashable, Sendable {
    /// The latest time, counted from when the slot was decided.
    package var latest: MediaTime
    /// The time that is granted in any case, counted from when writing begins.
    package var least: MediaTime
}
