import Foundation
import MediaCore
import TestSupport

@testable import Drills

/// The sample feed of the repository, read once.
enum Sample {
    static func feed() throws -> TransportStreamFeed { try read.get() }

    private static let read = Result { try TransportStreamFeed(path: Repository.feed) }

    static let video: UInt16 = 0x100
    static let audio: [UInt16] = [0x101, 0x102]
}

extension MediaTime {
    static func seconds(_ seconds: Double) -> MediaTime { MediaTime(milliseconds: Int64(seconds * 1000)) }
}

/// Some time in 2025, amid a round of the sample.
let someUTC = MediaTime(seconds: 1_763_726_403) + MediaTime(milliseconds: 217)

/// Returns the items of a feed from `start` until `end`, with the sample where nothing else is said.
func items(
    _ faults: [ScheduledFault] = [],
    clock: FeedClock = .utc,
    utc: MediaTime = someUTC,
    from start: MediaTime = .zero,
    until end: MediaTime,
    seed: UInt64 = 1,
    alternates: [String: TransportStreamFeed] = [:]
) throws -> [FeedItem] {
    let configuration = FeedConfiguration(
        sample: try Sample.feed(),
        alternates: alternates,
        clock: clock,
        schedule: FeedSchedule(faults),
        seed: seed
    )
    var generator = FeedGenerator(configuration, utc: utc, from: start)
    var items: [FeedItem] = []
    while let item = generator.next(), item.time < end { items.append(item) }
    return items
}

extension [FeedItem] {
    var datagrams: [Datagram] { compactMap { if case .datagram(let datagram) = $0 { datagram } else { nil } } }
    var events: [FeedEvent] { compactMap { if case .event(let event) = $0 { event } else { nil } } }
    var droppedCount: Int { count { if case .dropped = $0 { true } else { false } } }
    var received: ReceivedFeed { ReceivedFeed(datagrams) }
}

extension ReceivedFeed {
    /// Receives a feed with these faults.
    init(
        _ faults: [ScheduledFault] = [],
        clock: FeedClock = .utc,
        utc: MediaTime = someUTC,
        from start: MediaTime = .zero,
        until end: MediaTime,
        seed: UInt64 = 1,
        alternates: [String: TransportStreamFeed] = [:]
    ) throws {
        let items = try items(
            faults,
            clock: clock,
            utc: utc,
            from: start,
            until: end,
            seed: seed,
            alternates: alternates
        )
        self.init(items.datagrams)
    }
}
