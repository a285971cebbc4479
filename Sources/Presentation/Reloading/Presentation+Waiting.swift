import MediaCore
package import NIOCore
package import Playlists

/// Requests that wait for segments or parts that playlists do not list yet.
extension Presentation {
    /// True if nothing more will come, and the playlists say so.
    package var isEnded: Bool { served.isEnded }

    /// Returns the answer to a request for a rendition's playlist that has a segment or a part (RFC 8216bis § 6.2.5.2);
    /// a playlist that never has parts is waited for by segment.
    package func reload(_ id: RenditionID, at position: PlaylistPosition) -> BlockedReload {
        let reach = reach
        let timeline = reach.timelines[id]
        let hasParts = timeline?.playlist?.hasParts ?? true
        var position = hasParts ? position : PlaylistPosition(position.number)
        // Requests that name the next part in different ways wait for one condition: conditions stay few.
        if let timeline { position = timeline.existing(position) }
        let condition = PlaylistCondition.reaches(id, position)
        if reach.meets(condition) { return .ready }
        let isTooFar = timeline?.isTooFar(position, partTarget: configuration.partTarget) ?? false
        return isTooFar ? .tooFar : .waiting(condition)
    }

    /// Returns the answer to a request for a part: only the next one, which the playlist hints at, is waited for (RFC
    /// 8216bis § 4.4.5.3).
    package func part(_ id: RenditionID, at position: PlaylistPosition) -> BlockedReload {
        reach.part(id, at: position)
    }

    /// Returns the condition that a rendition's playlist has one more slot; nil if none will come.
    package func nextSlot(of id: RenditionID) -> PlaylistCondition? {
        let reach = reach
        let last: MediaSequenceNumber? = reach.timelines[id]?.last
        return last.flatMap { reach.isEnded ? nil : .reaches(id, PlaylistPosition($0.next)) }
    }

    /// Registers a request that waits until a condition is met or can no longer be met.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - client: Tells the network of the client from others, since one may have half of the places.
    ///   - patience: The longest wait.
    ///   - eventLoop: The event loop that `waiter` is called on.
    ///   - isFailing: Returns true if no request may wait for the condition any more; called at intervals.
    ///   - waiter: Called once, when the wait is over, but not before this returns.
    /// - Returns: The value that ``stopWaiting(_:)`` takes; nil if too many requests wait, or none may any more, so that
    ///   `waiter` is never called.
    package func wait(
        for condition: PlaylistCondition,
        of client: Int,
        patience: TimeAmount,
        on eventLoop: any EventLoop,
        unless isFailing: @escaping @Sendable () -> Bool = { false },
        _ waiter: @escaping @Sendable () -> Void
    ) -> WaitingRequests.Ticket? {
        let deadline = eventLoop.now + patience
        let request = WaitingRequests.Request(client: client, eventLoop: eventLoop, deadline: deadline, call: waiter)
        let ticket = waiters.add(request, until: condition, unless: isFailing)
        // The condition may have been met before the request was added.
        if ticket != nil, reach.meets(condition) { waiters.call(condition.group) { $0 == condition } }
        return ticket
    }

    /// Ends all waits, and lets no request wait any more: another presentation has taken the place of this one, or the
    /// channel is gone.
    package func endWaits() { waiters.close() }

    /// Removes a request, which is not called any more, unless that is under way.
    package func stopWaiting(_ ticket: WaitingRequests.Ticket) {
        waiters.remove(ticket)
    }
}
