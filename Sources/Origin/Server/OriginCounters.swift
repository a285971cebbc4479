import NIOHTTP1
import Synchronization

/// Counts of the requests that the origin has answered, and of its viewers.
package final class OriginCounters: Sendable {
    package struct Totals: Hashable, Sendable {
        /// The number of answered requests, with any status.
        package var requests: Int
        /// Bytes of all bodies sent.
        package var bytes: Int
        /// The audience of each channel that has had viewers, by name.
        package var audiences: [String: Audience]

        /// The number of clients that requested media within the last 30 seconds.
        package var viewers: Int { audiences.values.reduce(0) { $0 + $1.viewers } }
    }

    /// Answers of one kind and status.
    package struct Answered: Hashable, Sendable {
        package var kind: RequestKind
        /// The status code of HTTP; nil for one that is answered seldom.
        package var status: Int?
        package var requests: Int
        /// Bytes of bodies.
        package var bytes: Int
    }

    private final class Viewers: Sendable {
        let counter = Mutex(ViewerCounter())
    }

    private final class Counter: Sendable {
        let requests = Atomic(0)
        let bytes = Atomic(0)
    }

    /// The statuses that are counted separately; the last counter is for all others.
    private static let statuses = [200, 206, 204, 304, 308, 400, 401, 403, 404, 405, 410, 413, 416, 429, 431, 500, 503]

    /// The place of each status in ``statuses``.
    private static let places = {
        var places = Array(repeating: statuses.count, count: 600)
        for (place, status) in statuses.enumerated() { places[status] = place }
        return places
    }()

    /// The counts of each ``ThreadPart``, by kind and status.
    private let counters = (0..<ThreadPart.count).map { _ in
        (0..<RequestKind.allCases.count * (statuses.count + 1)).map { _ in Counter() }
    }
    private let viewers = (0..<64).map { _ in Viewers() }
    private let now: @Sendable () -> Int64

    /// - Parameter now: Seconds of a clock that never goes back.
    package init(now: @escaping @Sendable () -> Int64 = { OriginCounters.uptime() }) {
        self.now = now
    }

    package var totals: Totals {
        Totals(
            requests: answered.reduce(0) { $0 + $1.requests },
            bytes: answered.reduce(0) { $0 + $1.bytes },
            audiences: audiences
        )
    }

    private var audiences: [String: Audience] {
        let now = now()
        var sums: [String: AudienceSum] = [:]
        for viewers in viewers {
            for (channel, sum) in viewers.counter.withLock({ $0.sums(now: now) }) {
                sums[channel, default: AudienceSum()].add(sum)
            }
        }
        return sums.mapValues(\.audience)
    }

    /// The answers since the start, by kind and status; pairs that did not occur are left out.
    package var answered: [Answered] {
        (counters.first?.indices ?? 0..<0).compactMap { index in
            let requests = counters.reduce(0) { $0 + $1[index].requests.load(ordering: .relaxed) }
            if requests == 0 { return nil }
            let (kind, status) = index.quotientAndRemainder(dividingBy: Self.statuses.count + 1)
            return Answered(
                kind: RequestKind.allCases[kind],
                status: Self.statuses.indices.contains(status) ? Self.statuses[status] : nil,
                requests: requests,
                bytes: counters.reduce(0) { $0 + $1[index].bytes.load(ordering: .relaxed) }
            )
        }
    }

    func answered(_ kind: RequestKind, _ status: HTTPResponseStatus, bytes count: Int) {
        let code = Int(status.code)
        let place = Self.places.indices.contains(code) ? Self.places[code] : Self.statuses.count
        let counter = counters[ThreadPart.own][kind.rawValue * (Self.statuses.count + 1) + place]
        counter.requests.add(1, ordering: .relaxed)
        counter.bytes.add(count, ordering: .relaxed)
    }

    /// Counts a viewer, identified by a hash; see ``ViewerCounter``.
    func mediaRequested(by viewer: Int, _ report: CMCD?, of channel: String) {
        let now = now()
        let place = Int(viewer.magnitude % UInt(viewers.count))
        viewers[place].counter.withLock { $0.requested(by: viewer, of: channel, report, now: now) }
    }

    private static let start = ContinuousClock.now

    package static func uptime() -> Int64 {
        (ContinuousClock.now - start).components.seconds
    }
}
