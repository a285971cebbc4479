import NIOCore
import Synchronization

/// Calls the requests that wait for a channel's playlists once their wait is over.
///
/// All decisions are in ``WaitingRequests``; this is the lock around it. However many requests are released at once, each
/// event loop is woken once.
final class PlaylistWaiters: Sendable {
    private struct State {
        var requests: WaitingRequests
        /// True if a check is scheduled.
        var isChecking = false
        /// True if no request may wait any more.
        var isClosed = false
    }

    /// The time between two checks for requests that have waited long enough.
    static let interval = TimeAmount.milliseconds(250)

    private let state: Mutex<State>

    /// - Parameter capacity: The most requests; beyond it, they are refused.
    init(capacity: Int) {
        state = Mutex(State(requests: WaitingRequests(capacity: capacity)))
    }

    var count: Int { state.withLock { $0.requests.count } }

    /// Adds a request; see ``WaitingRequests/add(_:until:unless:)``.
    func add(
        _ request: WaitingRequests.Request,
        until condition: PlaylistCondition,
        unless isFailing: @escaping @Sendable () -> Bool
    ) -> WaitingRequests.Ticket? {
        let (ticket, isFirst) = state.withLock { state in
            let ticket = state.isClosed ? nil : state.requests.add(request, until: condition, unless: isFailing)
            defer { if ticket != nil { state.isChecking = true } }
            return (ticket, ticket != nil && !state.isChecking)
        }
        // A stalled channel publishes nothing that would end a wait, so waiting requests are checked here.
        if isFirst { check(on: request.eventLoop) }
        return ticket
    }

    /// Removes a request, which is not called any more, unless that is under way.
    func remove(_ ticket: WaitingRequests.Ticket) {
        state.withLock { $0.requests.remove(ticket) }
    }

    /// Calls the requests whose condition is met, each once.
    ///
    /// - Parameters:
    ///   - group: The group to check; nil for all.
    ///   - isMet: Returns true if there is nothing to wait for any more.
    func call(_ group: WaitingRequests.Group? = nil, where isMet: (PlaylistCondition) -> Bool) {
        call(state.withLock { $0.requests.release(group, where: isMet) })
    }

    /// Calls all requests, and takes none any more.
    func close() {
        let releases = state.withLock { state in
            state.isClosed = true
            return state.requests.release(nil) { _ in true }
        }
        call(releases)
    }

    private func call(_ releases: [WaitingRequests.Release]) {
        for release in releases {
            release.eventLoop.execute { [calls = release.calls] in
                for call in calls { call() }
            }
        }
    }

    /// Looks for requests that have waited long enough, again and again while any wait.
    private func check(on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: Self.interval) { [weak self] in
            guard let self else { return }
            let (releases, isDone) = state.withLock { state in
                let releases = state.requests.expire(at: eventLoop.now)
                state.isChecking = state.requests.count > 0
                return (releases, !state.isChecking)
            }
            call(releases)
            if !isDone { check(on: eventLoop) }
        }
    }
}
