package import MediaCore
package import Presentation
import Segmenting
import Synchronization

/// What was published before, by an earlier run or a peer.
extension Channel {
    /// Lists again what an earlier run, or a peer, has published, and goes on with it.
    ///
    /// To be called before any input is read.
    ///
    /// - Returns: How many slots are listed.
    @discardableResult
    package func restore(_ window: RestoredWindow) -> Int {
        let count = publisher.withLock { $0.restore(window, now: clock.now) }
        var published = PublishedWindow(window.window, expires: nil)
        published.isListed = count > 0
        handle(.resumed(published))
        return count
    }

    /// The first slot ever listed, here, where this goes on from or by a peer; nil if none was.
    package var firstNumber: MediaSequenceNumber? { core.withLock { $0.engine.firstNumber } }

    /// A peer that began earlier counts its clear lead from its own first slot: so does this channel.
    ///
    /// - Parameter slot: The first that the peer has ever listed.
    package func peerBegan(_ slot: MediaSequenceNumber) {
        if firstNumber.map({ slot < $0 }) ?? true { handle(.peerBegan(slot)) }
    }

    /// Whether it makes sense to wait for what a peer publishes.
    package func canJoin(_ window: SavedWindow, at now: MediaTime) -> Bool {
        core.withLock { $0.engine.canJoin(after: window.lastNumber, at: now) }
    }

    /// Publishes nothing until it can go on with what a peer publishes, or has waited for that too long.
    ///
    /// To be called before any input is read.
    ///
    /// - Parameter window: The peer's window as it is now.
    package func beginJoining(_ window: RestoredWindow) {
        handle(.joins(PublishedWindow(window, presentation.configuration)), window: window)
    }

    /// What is known of the peer while it is waited for; nil once it is not.
    package var windowOfPeer: RestoredWindow? {
        hasReleasedInputs.load(ordering: .relaxed) ? nil : core.withLock { $0.engine.isJoining ? $0.windowOfPeer : nil }
    }

    package var isJoining: Bool { core.withLock { $0.engine.isJoining } }

    /// The peer has published more.
    ///
    /// - Parameter window: All that it lists.
    package func peerPublished(_ window: RestoredWindow) {
        handle(.peerPublished(PublishedWindow(window, presentation.configuration)), window: window)
    }
}
