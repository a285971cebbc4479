import MediaCore
import NIOCore
import Playlists

/// The requests that wait for a channel's playlists, in buckets by condition.
///
/// Even many requests have few conditions: at most a few parts, and two segments, may be requested ahead. A publication
/// therefore looks only at the buckets of a rendition, and takes whole ones.
package struct WaitingRequests: Sendable {
    /// A group of conditions that are checked together.
    enum Group: Hashable, Sendable {
        case start
        case rendition(RenditionID)
    }

    /// A request that waits.
    struct Request: Sendable {
        /// Tells the network of its client from others.
        var client: Int
        var eventLoop: any EventLoop
        /// The time at which the request stops waiting.
        var deadline: NIODeadline
        /// Called on the event loop once the wait is over.
        var call: @Sendable () -> Void
    }

    /// Names a request that waits.
    package struct Ticket: Hashable, Sendable {
        fileprivate var condition: PlaylistCondition
        fileprivate var number: Int
    }

    /// Requests whose wait is over, of one event loop.
    struct Release: Sendable {
        var eventLoop: any EventLoop
        var calls: [@Sendable () -> Void] = []
    }

    private struct Bucket {
        var requests: [Int: Request] = [:]
        /// The earliest deadline of a request.
        var earliest = NIODeadline.distantFuture
        let isFailing: @Sendable () -> Bool

        mutating func add(_ request: Request, _ number: Int) {
            requests[number] = request
            earliest = min(earliest, request.deadline)
        }

        /// Removes the requests whose deadline has passed.
        mutating func expire(at now: NIODeadline) -> [Request] {
            let late = requests.filter { $0.value.deadline <= now }
            for number in late.keys { requests[number] = nil }
            earliest = requests.values.map(\.deadline).min() ?? .distantFuture
            return Array(late.values)
        }
    }

    private var groups: [Group: [PlaylistCondition: Bucket]] = [:]
    private var places: SharedQuota
    private var next = 0

    /// - Parameter capacity: The most requests, half of which one client may have; beyond it, they are refused.
    init(capacity: Int) {
        places = SharedQuota(limit: capacity)
    }

    /// The number of requests that wait.
    var count: Int { places.taken }

    /// - Parameters:
    ///   - request: The request.
    ///   - condition: The condition that it waits for.
    ///   - isFailing: Returns true if no request may wait for the condition any more.
    /// - Returns: The value that ``remove(_:)`` takes; nil if too many wait already, or too many of the client.
    mutating func add(
        _ request: Request,
        until condition: PlaylistCondition,
        unless isFailing: @escaping @Sendable () -> Bool
    ) -> Ticket? {
        guard places.take(for: request.client) else { return nil }
        next += 1
        groups[condition.group, default: [:]][condition, default: Bucket(isFailing: isFailing)].add(request, next)
        return Ticket(condition: condition, number: next)
    }

    /// Removes a request, if it still waits.
    mutating func remove(_ ticket: Ticket) {
        let (group, condition) = (ticket.condition.group, ticket.condition)
        guard let request = groups[group]?[condition]?.requests.removeValue(forKey: ticket.number) else { return }
        places.giveBack(of: request.client)
        if groups[group]?[condition]?.requests.isEmpty == true { drop(condition) }
    }

    /// Removes the requests whose condition is met.
    ///
    /// - Parameters:
    ///   - group: The group to check; nil for all.
    ///   - isMet: Returns true if there is nothing to wait for any more.
    /// - Returns: The removed requests, together for each event loop.
    mutating func release(_ group: Group?, where isMet: (PlaylistCondition) -> Bool) -> [Release] {
        let met = conditions(of: group).filter(isMet)
        return Self.releases(met.flatMap { take($0) })
    }

    /// Takes the requests whose deadline has passed, and the requests that may no longer wait.
    mutating func expire(at now: NIODeadline) -> [Release] {
        var expired: [Request] = []
        for condition in conditions(of: nil) {
            guard let bucket = groups[condition.group]?[condition] else { continue }
            if bucket.isFailing() {
                expired += take(condition)
            } else if bucket.earliest <= now {
                let late = groups[condition.group]?[condition]?.expire(at: now) ?? []
                forget(late)
                if groups[condition.group]?[condition]?.requests.isEmpty == true { drop(condition) }
                expired += late
            }
        }
        return Self.releases(expired)
    }

    private func conditions(of group: Group?) -> [PlaylistCondition] {
        guard let group else { return groups.values.flatMap(\.keys) }
        return groups[group].map { Array($0.keys) } ?? []
    }

    private mutating func take(_ condition: PlaylistCondition) -> [Request] {
        let requests = Array((groups[condition.group]?[condition]?.requests ?? [:]).values)
        forget(requests)
        drop(condition)
        return requests
    }

    /// Gives back the places of requests.
    private mutating func forget(_ requests: [Request]) {
        for request in requests { places.giveBack(of: request.client) }
    }

    private mutating func drop(_ condition: PlaylistCondition) {
        groups[condition.group]?[condition] = nil
        if groups[condition.group]?.isEmpty == true { groups[condition.group] = nil }
    }

    private static func releases(_ requests: [Request]) -> [Release] {
        var releases: [ObjectIdentifier: Release] = [:]
        for request in requests {
            let eventLoop = request.eventLoop
            releases[ObjectIdentifier(eventLoop), default: Release(eventLoop: eventLoop)].calls.append(request.call)
        }
        return Array(releases.values)
    }
}

extension PlaylistCondition {
    var group: WaitingRequests.Group {
        switch self {
        case .startable: .start
        case .reaches(let id, _), .decides(let id, _): .rendition(id)
        }
    }
}
