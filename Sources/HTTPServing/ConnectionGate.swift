package import NIOCore
import Synchronization

/// Admits connections and closes them: the lock around ``ConnectionTable``, and its news.
///
/// Requests do not take the lock: the `ConnectionActivity` of a connection shows if a request is under way.
package final class ConnectionGate: Sendable {
    package typealias Table = ConnectionTable<any Channel>

    /// The open connections, their limits, and the connections that the limits have cost since the start.
    package struct Totals: Hashable, Sendable {
        package var open: Int
        package var limits: Table.Limits
        /// Connections that each limit has cost.
        package var reached: [ConnectionLimit: Int]
    }

    /// A connection's entry in the table, for its handlers.
    package struct Pass: Sendable {
        fileprivate let gate: ConnectionGate
        fileprivate let id: Table.ID
        fileprivate let activity: ConnectionActivity

        /// A whole request waits for its answer.
        package func began() { activity.began() }

        /// Notes that no request of the connection is pending.
        package func becameIdle() { activity.becameIdle() }

        /// Notes that the client has authenticated.
        package func recognized() { gate.state.withLock { $0.table.recognized(id) } }
    }

    private struct State {
        var table: Table
        /// Connections that were accepted and are not closed, with or without a place.
        var accepted = 0
        var episodes: [ConnectionLimit: LimitEpisode] = [:]
    }

    private let state: Mutex<State>
    private let now: @Sendable () -> Int64
    private let onNews: @Sendable (ConnectionLimit, LimitEpisode.News) -> Void

    /// - Parameters:
    ///   - limits: The most connections.
    ///   - now: Seconds of a clock that never goes back.
    ///   - onNews: Called once when a limit begins to cost connections, and once when it no longer does; on any thread.
    init(
        limits: Table.Limits,
        now: @escaping @Sendable () -> Int64 = { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000_000) },
        onNews: @escaping @Sendable (ConnectionLimit, LimitEpisode.News) -> Void = { _, _ in }
    ) {
        self.now = now
        self.onNews = onNews
        state = Mutex(State(table: Table(limits: limits)))
    }

    package var totals: Totals {
        state.withLock { state in
            Totals(open: state.table.count, limits: state.table.limits, reached: state.episodes.mapValues(\.total))
        }
    }

    /// Changes how many connections there may be; idle ones beyond that are closed.
    package func limit(to limits: Table.Limits) {
        for connection in state.withLock({ $0.table.limit(to: limits) }) {
            connection.triggerUserOutboundEvent(ConnectionHandler.Displaced(), promise: nil)
        }
    }

    /// A connection was accepted, and has a descriptor until it is closed.
    func accepted(_ channel: any Channel) {
        state.withLock { $0.accepted += 1 }
        channel.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.accepted -= 1 } }
    }

    /// True if no more should be accepted until displaced connections are closed.
    var isCrowded: Bool {
        state.withLock { $0.accepted >= $0.table.limits.total + $0.table.limits.leaving }
    }

    /// Gives a connection its place, perhaps that of another one.
    ///
    /// - Returns: Nil if no place is left: the caller must close the connection.
    package func admit(_ channel: any Channel) -> Pass? {
        let address = channel.remoteAddress?.network ?? ""
        switch state.withLock({ $0.table.open(channel, from: address) }) {
        case .admitted(let id, let activity):
            return pass(id, activity, channel)
        case .displaced(let id, let activity, let other, let limit):
            reached(limit == .address ? .address : .displaced)
            other.triggerUserOutboundEvent(ConnectionHandler.Displaced(), promise: nil)
            return pass(id, activity, channel)
        case .refused(let limit):
            reached(limit == .address ? .address : .full)
            return nil
        }
    }

    /// A limit has cost a connection.
    func reached(_ limit: ConnectionLimit) {
        let now = now()
        let news = state.withLock { $0.episodes[limit, default: LimitEpisode()].reached(at: now) }
        if let news { onNews(limit, news) }
    }

    /// Time went by: to be called every few seconds.
    func check() {
        let now = now()
        for limit in ConnectionLimit.allCases {
            if let news = state.withLock({ $0.episodes[limit]?.check(at: now) }) { onNews(limit, news) }
        }
    }

    private func pass(_ id: Table.ID, _ activity: ConnectionActivity, _ channel: any Channel) -> Pass {
        channel.closeFuture.whenComplete { [weak self] _ in self?.state.withLock { $0.table.closed(id) } }
        return Pass(gate: self, id: id, activity: activity)
    }
}
