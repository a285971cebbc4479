package import MediaCore
package import Presentation
import Segmenting
import Synchronization

/// What was published before, by an earlier run or a peer.
extension Channel {
    /// Lists again what an earlier run, or a peer, has published.
    ///
    /// To be called before any input is read.
    ///
    /// - Returns: How many slots are listed.
    @discardableResult
    package func restore(_ window: RestoredWindow) -> Int { publisher.withLock { $0.restore(window) } }

    /// Goes on with what an earlier run, or a peer, has published and the presentation lists again.
    ///
    /// To be called before any input is read.
    package func resume(_ window: SavedWindow) {
        handle(.resumed(PublishedWindow(window, expires: nil)))
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
