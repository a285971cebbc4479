package import MediaCore
package import Timeline

/// State for the process that continues with the channel's feeds.
extension ChannelEngine {
    /// The placements of the inputs that are placed by their arrival.
    package var placements: [InputID: InputTimeline.Placement] { inputs.placements }

    /// The newest slot that has any video or audio so far; nil before the first.
    package var newestBegun: MediaSequenceNumber? { segmenter.newestBegun }

    /// Takes the places of inputs that another channel has read.
    ///
    /// - Parameters:
    ///   - placements: The places of the inputs that are placed by their arrival.
    ///   - isRepeated: True if the packets that the other channel has read come once more, and late.
    mutating func inherit(_ placements: [InputID: InputTimeline.Placement], isRepeated: Bool) {
        for (input, placement) in placements { inputs[feed(input)].timeline.inherited = placement }
        if isRepeated { segmenter.awaitRepetition(until: now + configuration.grid.slotDuration * 2) }
    }
}
