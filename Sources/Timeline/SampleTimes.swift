package import MediaCore

/// The times at which a sample is decoded and presented, on the channel's media timeline.
package struct SampleTimes: Hashable, Sendable {
    package var decode: MediaTime
    package var presentation: MediaTime
}
