package import Segmenting
import Synchronization
package import Timeline

/// Another channel of the same name that reads the same feeds from now on, here or in another process.
extension Channel {
    /// Where its inputs lie that are placed by their arrival.
    package var placements: [InputID: InputTimeline.Placement] { core.withLock { $0.engine.placements } }

    /// Its inputs lie where another channel had them.
    ///
    /// To be called once they are made, and before any is read.
    package func inherit(_ placements: [InputID: InputTimeline.Placement]) {
        if !placements.isEmpty { handle(.inherited(placements)) }
    }
}
