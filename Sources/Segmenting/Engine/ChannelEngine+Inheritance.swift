package import Timeline

/// What whoever goes on with the channel's feeds has to know of them.
extension ChannelEngine {
    /// Where the inputs lie that are placed by their arrival.
    package var placements: [InputID: InputTimeline.Placement] {
        let placed = feeds.compactMap { feed in
            feed.timeline.placement(shift: feed.shift, correction: feed.correction).map { (feed.id, $0) }
        }
        return Dictionary(placed) { first, _ in first }
    }
}
