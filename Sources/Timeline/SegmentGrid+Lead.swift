package import MediaCore

extension SegmentGrid {
    /// The lead of a window's end over the present that no packager with a right clock reaches.
    ///
    /// By arrival nothing is published more than a slot too early; timestamps and timecode are believed that are ten
    /// seconds ahead. The newest slot may end late by half of it, and the machine's clock may be slewed meanwhile.
    ///
    /// - Parameters:
    ///   - newest: The newest slot that was published; nil if none was.
    ///   - now: UTC.
    /// - Returns: The time; nil if that is nothing to wonder about.
    package func implausibleLead(of newest: MediaSequenceNumber?, at now: MediaTime) -> MediaTime? {
        guard let newest else { return nil }
        let ahead = start(of: newest.next) - now
        return ahead > InputTimeline.plausibleLead + slotDuration * 2 ? ahead : nil
    }
}
