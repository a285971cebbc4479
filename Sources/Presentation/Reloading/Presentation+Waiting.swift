package import Playlists

/// Waiting for what playlists do not have yet.
extension Presentation {
    /// Calls back once playlists are long enough to begin with; at once, if they already are.
    ///
    /// - Parameter waiter: Called once, on any thread, perhaps before this returns; it may not take long.
    /// - Returns: What ``stopWaiting(_:)`` takes; nil where too many wait, so that it is never called.
    package func whenStartable(_ waiter: @escaping @Sendable () -> Void) -> Int? { wait(for: .startable, waiter) }

    /// Calls back once a rendition's playlist has a segment or a part (RFC 8216bis § 6.2.5.2: a blocked reload).
    ///
    /// - Parameters:
    ///   - id: Whose playlist is asked for.
    ///   - position: What it shall have, or a later one.
    ///   - waiter: Called once, on any thread, perhaps before this returns, where the answer is
    ///     ``BlockedReload/waiting(_:)``, and else never; it may not take long.
    /// - Returns: Whether there is something to wait for.
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

    /// The waiter is not called any more.
    package func stopWaiting(_ number: Int) {
        waiters.remove(number)
    }

    private func wait(for condition: PlaylistCondition, _ waiter: @escaping @Sendable () -> Void) -> Int? {
        guard let number = waiters.add(condition, waiter) else { return nil }
        // It may have been met before it was added; whoever removes it calls it.
        if reach.meets(condition) { waiters.remove(number)?() }
        return number
    }
}
