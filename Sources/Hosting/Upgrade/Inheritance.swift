import Segmenting
import Timeline

/// The places on the timeline that the inputs of a channel continue from.
struct Inheritance {
    /// The places of inputs that are placed by their arrival.
    private(set) var placements: [InputID: InputTimeline.Placement] = [:]
    /// True if data that another channel has read is repeated.
    private(set) var isRepeated = false

    /// Adds an input of the channel.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - former: The former input; nil for a new feed, which nobody has read before, although it may be open already.
    ///   - isRepeated: True if it begins with data that was read before.
    mutating func add(_ input: InputID, after former: FormerInput?, isRepeated: Bool) {
        guard let former else { return }
        placements[input] = former.placement
        placements[input]?.isRepeated = isRepeated
        self.isRepeated = self.isRepeated || isRepeated
    }
}
