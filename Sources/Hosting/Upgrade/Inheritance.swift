import Segmenting
import Timeline

/// The places on the timeline that the inputs of a channel continue from.
struct Inheritance {
    /// The places of inputs that are placed by their arrival.
    private(set) var placements: [InputID: InputTimeline.Placement] = [:]
    /// True if what another channel has read of any feed comes once more.
    private(set) var isRepeated = false

    /// Adds an input of the channel.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - former: The input that it was; nil for a new feed, of which nothing was read before, though it may be open already.
    ///   - isRepeated: True if it begins with what was read before.
    mutating func add(_ input: InputID, after former: FormerInput?, isRepeated: Bool) {
        guard let former else { return }
        placements[input] = former.placement
        placements[input]?.isRepeated = isRepeated
        self.isRepeated = self.isRepeated || isRepeated
    }
}
