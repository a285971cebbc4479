package import Segmenting
import Synchronization
package import Timeline

/// Handover to another channel of the same name that reads the same feeds from now on, here or in another process.
extension Channel {
    /// The placements of the inputs that are placed by their arrival.
    package var placements: [InputID: InputTimeline.Placement] { core.withLock { $0.engine.placements } }

    /// Places its inputs where another channel had them.
    ///
    /// It is called once they are made, and before any is read.
    package func inherit(_ placements: [InputID: InputTimeline.Placement]) {
        if !placements.isEmpty { handle(.inherited(placements)) }
    }
}
