package import MediaCore
package import Presentation
import Segmenting
import Synchronization

/// Return to the window of an earlier run, or of a peer.
extension Channel {
    /// Lists the window of an earlier run, or of a peer, again, and continues from it.
    ///
    /// It is called before any input is read.
    ///
    /// - Returns: The number of slots that are listed.
    @discardableResult
    package func restore(_ window: RestoredWindow) -> Int {
        let count = publisher.withLock { $0.restore(window, now: clock.now) }
        var published = PublishedWindow(window.window, expires: nil)
        (published.isListed, published.open) = (count > 0, window.openSlots)
        handle(.resumed(published))
        return count
    }

    /// The first slot ever listed, here, in the window that this continues from, or by a peer; nil if none was.
    package var firstNumber: MediaSequenceNumber? { core.withLock { $0.engine.firstNumber } }

    /// Takes the first slot of a peer: one that began earlier counts its clear lead from there, and so does this
    /// channel.
    ///
    /// - Parameter slot: The first slot that the peer has ever listed.
    package func peerBegan(_ slot: MediaSequenceNumber) {
        if firstNumber.map({ slot < $0 }) ?? true { handle(.peerBegan(slot)) }
    }

    /// Returns true if it makes sense to wait for a peer.
    package func canJoin(_ window: SavedWindow, at now: MediaTime) -> Bool {
        core.withLock { $0.engine.canJoin(after: window.lastNumber, at: now) }
    }

    /// Publishes nothing until it can continue from the slots of a peer, or has waited too long.
    ///
    /// It is called before any input is read.
    ///
    /// - Parameter window: The peer's window as it is now.
    package func beginJoining(_ window: RestoredWindow) {
        handle(.joins(PublishedWindow(window, presentation.configuration)), window: window)
    }

    /// The window of the peer while it is waited for; nil once it is not.
    package var windowOfPeer: RestoredWindow? {
        hasReleasedInputs.load(ordering: .relaxed) ? nil : core.withLock { $0.engine.isJoining ? $0.windowOfPeer : nil }
    }

    package var isJoining: Bool { core.withLock { $0.engine.isJoining } }

    /// Takes the window of the peer, which has published more slots.
    ///
    /// - Parameter window: The whole window of the peer.
    package func peerPublished(_ window: RestoredWindow) {
        handle(.peerPublished(PublishedWindow(window, presentation.configuration)), window: window)
    }
}
