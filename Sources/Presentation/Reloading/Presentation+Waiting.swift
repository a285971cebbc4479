package import Playlists

/// Requests that wait for positions that playlists have not reached yet.
extension Presentation {
    /// Calls back once playlists are long enough to begin with; at once, if they already are.
    ///
    /// - Parameter waiter: Called once, on any thread, perhaps before this returns; it may not take long.
    /// - Returns: The number that ``stopWaiting(_:)`` takes; nil if too many wait, so that it is never called.
    package func whenStartable(_ waiter: @escaping @Sendable () -> Void) -> Int? { wait(for: .startable, waiter) }

    /// Calls back once a rendition's playlist has a segment or a part (RFC 8216bis § 6.2.5.2: a blocked reload).
    ///
    /// - Parameters:
    ///   - id: The rendition whose playlist is asked for.
    ///   - position: The position that the playlist must have reached.
    ///   - waiter: Called once, on any thread, perhaps before this returns, where the answer is
    ///     ``BlockedReload/waiting(_:)``, and else never; it may not take long.
    /// - Returns: The answer to the request.
    package func reload(
        _ id: RenditionID,
        at position: PlaylistPosition,
        _ waiter: @escaping @Sendable () -> Void
    ) -> BlockedReload {
        let reach = reach
        if reach.meets(.reaches(id, position)) { return .ready }
        if reach.timelines[id]?.isTooFar(position, partTarget: configuration.partTarget) ?? false { return .tooFar }
        return wait(for: .reaches(id, position), waiter).map(BlockedReload.waiting) ?? .tooMany
    }

    /// Removes a waiter, which is not called any more.
    package func stopWaiting(_ number: Int) {
        waiters.remove(number)
    }

    private func wait(for condition: PlaylistCondition, _ waiter: @escaping @Sendable () -> Void) -> Int? {
        guard let number = waiters.add(condition, waiter) else { return nil }
        // The condition may have been met before the waiter was added; the thread that removes it calls it.
        if reach.meets(condition) { waiters.remove(number)?() }
        return number
    }
}
