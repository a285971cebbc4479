import Logging
import MediaCore
import Operations
import Timeline

/// Splices, which move boundaries.
extension ChannelEngine {
    /// A boundary moves to the splice if it can; where it cannot, its operator hears why.
    mutating func spliced(_ feed: Int, timestamp: Int64) {
        guard let time = feeds[feed].timeline.place(timestamp: timestamp) else { return }
        let utc = time + feeds[feed].utcOffset + feeds[feed].shift
        let heard = feeds[feed].reached ?? now
        // What is years away is a damaged cue; every other one is told several times.
        guard abs((utc - heard).ticks) < Self.furthest.ticks, heardSplices.insert(timestamp).inserted else { return }
        if heardSplices.count > Self.mostRemembered { heardSplices = [timestamp] }
        let (message, slot): (String, MediaSequenceNumber?) =
            switch segmenter.splice(at: utc, heard: heard) {
            case .planned(let slot): ("A segment will begin with the splice at \(utc.iso8601).", slot)
            case .late(let distance):
                (
                    "The cue for the splice at \(utc.iso8601) came \(distance.milliseconds) ms too late for a segment to "
                        + "begin with it: players change over inside a segment.",
                    nil
                )
            case .crowded:
                (
                    "The splice at \(utc.iso8601) is too near to another for a segment of its own: players change over "
                        + "inside one.",
                    nil
                )
            }
        note(.splice, message, input: feeds[feed].id, slot: slot)
    }

    /// Says where a segment does not begin with the splice that it was to begin with.
    mutating func noteSplice(_ slot: Slot) {
        guard let splice = slot.splice, abs(splice.distance.ticks) > Self.missed.ticks else { return }
        let side = splice.distance < .zero ? "before" : "after"
        let distance = abs(splice.distance.milliseconds)
        log(.warning, "splice missed", ["slot": "\(slot.number)", "by": "\(distance) ms"])
        note(
            .splice,
            "The segment begins \(distance) ms \(side) the splice at \(splice.time.iso8601), where the encoder has no key "
                + "frame: players change over that much \(side) it.",
            slot: slot.number
        )
    }

    /// Two frames, and what UTC is slewed while a splice is waited for.
    private static let missed = MediaTime(milliseconds: 80)
    private static let furthest = MediaTime(seconds: 600)
    private static let mostRemembered = 64
}
