import ISOBMFF
import MediaCore

/// The length of a part that is being filled, by which it ends.
///
/// A part lasts no longer than the part target, and 85 % of it at least, but for those that RFC 8216bis § 4.4.4.9 exempts.
struct PartLength {
    /// The part target, in units of the timescale.
    private let most: Int64
    private var length: Int64 = 0
    private var last: FragmentSample?

    init(atMost longest: MediaTime, timescale: Int64) {
        most = longest.value(timescale: timescale)
    }

    /// True if it is long enough for media to follow.
    var isEnough: Bool { length * 100 >= most * 85 }

    /// The time that it lacks of the part target.
    var room: Int64 { most - length }

    /// True if the part has no room for another sample as long as its last one.
    ///
    /// A shorter sample may follow, but only a part that is too short waits for it.
    var isFull: Bool { isEnough && length + Int64(last?.duration ?? 0) > most }

    /// Returns true if a sample belongs to the next part: there is no room for it, or players can begin with it.
    func ends(before sample: FragmentSample) -> Bool {
        guard let last else { return false }
        // If players can begin with every sample, as with most audio, an entry gains nothing.
        let isEntry = sample.isSync && !last.isSync
        return isFull || length + Int64(sample.duration) > most || isEnough && isEntry
    }

    mutating func append(_ sample: FragmentSample) {
        length += Int64(sample.duration)
        last = sample
    }
}
