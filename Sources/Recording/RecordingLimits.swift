package import MediaCore

/// The limits beyond which the oldest blocks of a recording are removed; a limit that is not set is none.
package struct RecordingLimits: Hashable, Sendable {
    /// The time for which everything is kept; older slots are removed a block at a time.
    package var age: MediaTime?
    /// The most bytes that all blocks together take.
    package var byteCount: Int?

    package init(age: MediaTime? = nil, byteCount: Int? = nil) {
        (self.age, self.byteCount) = (age, byteCount)
    }
}
