package import MediaCore
package import Segmenting
import Synchronization
package import Timeline

/// Handover to another channel of the same name that reads the same feeds from now on, here or in another process.
extension Channel {
    /// The placements of the inputs that are placed by their arrival.
    package var placements: [InputID: InputTimeline.Placement] { core.withLock { $0.engine.placements } }

    /// The newest slot of which its inputs have brought any media; nil before the first.
    package var newestSlotBegun: MediaSequenceNumber? { core.withLock { $0.engine.newestBegun } }

    /// Places its inputs where another channel had them.
    ///
    /// Call this after the inputs are made, and before any of them is read.
    ///
    /// - Parameters:
    ///   - placements: The places of the inputs that are placed by their arrival.
    ///   - isRepeated: True if the packets that the other channel has read come once more: slots wait for them.
    package func inherit(_ placements: [InputID: InputTimeline.Placement], isRepeated: Bool) {
        if !placements.isEmpty || isRepeated { handle(.inherited(placements, isRepeated: isRepeated)) }
    }
}
