import Synchronization

/// Waiting for a channel to begin.
extension Presentation {
    /// Calls back once playlists can be had; at once, if they can already.
    ///
    /// - Parameter waiter: Called once, on any thread, perhaps before this returns; it may not take long.
    /// - Returns: What ``stopWaiting(_:)`` takes; nil where too many wait, so that it is never called.
    package func whenListed(_ waiter: @escaping @Sendable () -> Void) -> Int? {
        guard let number = waiters.add(waiter) else { return nil }
        // They may have come before it was added; whoever removes it calls it.
        if isListed { waiters.remove(number)?() }
        return number
    }

    /// The waiter is not called any more.
    package func stopWaiting(_ number: Int) {
        waiters.remove(number)
    }
}
