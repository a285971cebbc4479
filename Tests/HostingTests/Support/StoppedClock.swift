import MediaCore

/// A clock that stands still.
struct StoppedClock: UTCClock {
    let now = MediaTime(seconds: 1_800_000_000)
}
