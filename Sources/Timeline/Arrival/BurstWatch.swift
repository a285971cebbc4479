import MediaCore

/// Tells when the burst is over with which a live feed begins: what was read while probing, a server's buffer, the
/// backlog of a transcoder.
///
/// While it lasts each packet is newer than it should be at its arrival, by more and more. It is over once packets come
/// no faster than they play for a while; a short pause is no proof, for TCP pauses in mid-burst.
struct BurstWatch: Sendable {
    /// For so long no packet has come earlier than the one before, on the feed's own time.
    static let calm = MediaTime(milliseconds: 500)
    /// A feed that is always faster than real time has no end of its burst.
    static let longest = MediaTime(seconds: 5)
    /// What is less is jitter.
    private static let step = MediaTime(milliseconds: 20)

    private var first: MediaTime?
    private var least: MediaTime?
    /// The least that mattered, and when it was.
    private var mark: (offset: MediaTime, at: MediaTime)?

    /// A packet arrived.
    ///
    /// - Parameters:
    ///   - offset: Arrival minus timestamp.
    ///   - arrival: UTC.
    /// - Returns: Once the burst is over, the least offset: that of the packet that was held up least.
    mutating func observe(_ offset: MediaTime, at arrival: MediaTime) -> MediaTime? {
        let first = first ?? arrival
        self.first = first
        let least = min(least ?? offset, offset)
        self.least = least
        guard let mark, offset >= mark.offset - Self.step else {
            self.mark = (offset, arrival)
            return arrival - first >= Self.longest ? least : nil
        }
        return arrival - mark.at >= Self.calm || arrival - first >= Self.longest ? least : nil
    }
}
