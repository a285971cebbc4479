import MediaCore

extension ChannelConfiguration {
    /// EXT-X-TARGETDURATION in seconds: half a segment more than a segment, rounded up.
    package var targetDuration: Int64 {
        Self.targetDuration(segmentDuration)
    }

    /// Slots in a crypto period: the nearest whole number, at least one; nil for keys that never change.
    package var slotsPerPeriod: Int64? {
        keyRotation > .zero ? Self.slots(in: keyRotation, of: segmentDuration) : nil
    }

    /// The shortest window: six segments, and three target durations (RFC 8216bis § 6.2.2).
    static func minimumWindow(_ segmentDuration: MediaTime) -> MediaTime {
        max(segmentDuration * 6, MediaTime(seconds: 3 * targetDuration(segmentDuration)))
    }

    static func targetDuration(_ segmentDuration: MediaTime) -> Int64 {
        (3 * segmentDuration.ticks + 2 * MediaTime.timescale - 1) / (2 * MediaTime.timescale)
    }

    static func slots(in duration: MediaTime, of segmentDuration: MediaTime) -> Int64 {
        max(1, (duration.ticks + segmentDuration.ticks / 2) / segmentDuration.ticks)
    }
}
