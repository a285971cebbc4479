import MediaCore

/// Finds the end of the burst that a live feed begins with: packets read while probing, a server's buffer, the backlog
/// of a transcoder.
///
/// While it lasts each packet is newer than it should be at its arrival, by more and more. It is over once packets come
/// no faster than they play for a while. A pause is no proof: TCP pauses in mid-burst, and where many channels start at
/// once, their readers stand still while what they are to read piles up. A feed that arrives in bursts pauses as well,
/// but is back in time at the end of each burst.
struct BurstWatch: Sendable {
    /// The time for which no packet has come earlier than the one before, on the feed's own time.
    static let calm = MediaTime(milliseconds: 500)
    /// A feed that is always faster than real time has no end of its burst.
    static let longest = MediaTime(seconds: 5)
    /// Smaller steps are jitter.
    private static let step = MediaTime(milliseconds: 20)
    /// The pause from which on it takes more to say so.
    ///
    /// FFmpeg sends a transport stream of low bit rate in bursts 0.3 s apart. A longer wait there would cost viewers a
    /// slot whenever an encoder comes back.
    private static let pause = MediaTime(milliseconds: 400)
    /// The tolerance for a feed that arrives in bursts: pictures come in another order than they are shown.
    private static let near = MediaTime(milliseconds: 100)
    /// A backlog passes by there and continues, sooner than this.
    private static let passing = MediaTime(milliseconds: 40)

    private var first: MediaTime?
    private var newest: MediaTime?
    private var least: MediaTime?
    /// The least that mattered, when it was, and whether there has been a pause since.
    private var mark: (offset: MediaTime, at: MediaTime, hasPaused: Bool)?
    /// The time when it came again, or about that, after a pause.
    private var again: MediaTime?

    /// A packet arrived.
    ///
    /// - Parameters:
    ///   - offset: Arrival minus timestamp.
    ///   - arrival: UTC.
    /// - Returns: The least offset, once the burst is over: the packet with it was held up least.
    mutating func observe(_ offset: MediaTime, at arrival: MediaTime) -> MediaTime? {
        let (first, pause) = (first ?? arrival, arrival - (newest ?? arrival))
        let least = min(least ?? offset, offset)
        (self.first, newest, self.least) = (first, arrival, least)
        guard arrival - first < Self.longest else { return least }
        guard var mark, offset >= mark.offset - Self.step else {
            (mark, again) = ((offset, arrival, false), nil)
            return nil
        }
        mark.hasPaused = mark.hasPaused || pause >= Self.pause
        self.mark = mark
        guard mark.hasPaused else { return arrival - mark.at >= Self.calm ? least : nil }
        if let again { return arrival - again >= Self.passing ? least : nil }
        if arrival - mark.at >= Self.calm, offset <= mark.offset + Self.near { again = arrival }
        return nil
    }
}
