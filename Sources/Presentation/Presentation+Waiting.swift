import Synchronization

/// Waiting for a channel to begin.
extension Presentation {
    /// Calls back once playlists are long enough to begin with; at once, if they already are.
    ///
    /// - Parameter waiter: Called once, on any thread, perhaps before this returns; it may not take long.
    /// - Returns: What ``stopWaiting(_:)`` takes; nil where too many wait, so that it is never called.
    package func whenStartable(_ waiter: @escaping @Sendable () -> Void) -> Int? {
        guard let number = waiters.add(waiter) else { return nil }
        // They may have become so before it was added; whoever removes it calls it.
        if isStartable { waiters.remove(number)?() }
        return number
    }

    /// The waiter is not called any more.
    package func stopWaiting(_ number: Int) {
        waiters.remove(number)
    }
}
