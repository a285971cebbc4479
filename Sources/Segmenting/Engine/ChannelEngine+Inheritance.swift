package import Timeline

/// State for the process that goes on with the channel's feeds.
extension ChannelEngine {
    /// The placements of the inputs that are placed by their arrival.
    package var placements: [InputID: InputTimeline.Placement] {
        let placed = feeds.compactMap { feed in
            feed.timeline.placement(shift: feed.shift, correction: feed.correction).map { (feed.id, $0) }
        }
        return Dictionary(placed) { first, _ in first }
    }
}
