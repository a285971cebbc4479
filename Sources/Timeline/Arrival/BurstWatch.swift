import MediaCore

/// Tells when the burst is over with which a live feed begins: what was read while probing, a server's buffer, the
/// backlog of a transcoder.
///
/// While it lasts each packet is newer than it should be at its arrival, by more and more. It is over once packets come
/// no faster than they play for a while. A pause is no proof: TCP pauses in mid-burst, and where many channels start at
/// once, their readers stand still while what they are to read piles up.
struct BurstWatch: Sendable {
    /// For so long packets have come, with shorter pauses, and none earlier than the one before on the feed's own time.
    ///
    /// FFmpeg sends a transport stream of little in lumps that are 0.3 s apart.
    static let calm = MediaTime(milliseconds: 500)
    /// A feed that is always faster than real time, or always comes in lumps, has no end of its burst.
    static let longest = MediaTime(seconds: 5)
    /// What is less is jitter.
    private static let step = MediaTime(milliseconds: 20)

    private var first: MediaTime?
    private var newest: MediaTime?
    private var least: MediaTime?
    /// The least that mattered, and since when no pause or packet has said otherwise.
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
        let isPaused = arrival - (newest ?? arrival) >= Self.calm
        newest = arrival
        let least = min(least ?? offset, offset)
        self.least = least
        guard let mark, offset >= mark.offset - Self.step, !isPaused else {
            self.mark = (least, arrival)
            return arrival - first >= Self.longest ? least : nil
        }
        return arrival - mark.at >= Self.calm || arrival - first >= Self.longest ? least : nil
    }
}
