import EventDelivery
import MediaCore
import Operations
import Synchronization
import TestSupport

/// Events, and a place to keep them.
enum Fixture {
    /// Noon of 2026-11-21.
    static let now = MediaTime(seconds: 1_795_262_400)
    static let retention = EventRetention(duration: MediaTime(seconds: 86_400), maximumBytes: 16 << 20)

    static func event(
        _ second: Int,
        kind: ChannelEvent.Kind = .gap,
        channel: String = "live",
        _ message: String = "Something happened."
    ) -> ChannelEvent {
        ChannelEvent(time: now + MediaTime(seconds: Int64(second)), channel: channel, kind: kind, message: message)
    }

    static func store(
        _ directory: TemporaryDirectory,
        retention: EventRetention = retention,
        now: MediaTime = now,
        patience: Duration = .seconds(60),
        handover: Duration = .zero,
        news: News = News()
    ) -> EventStore {
        EventStore(
            directory: directory.path,
            retention: retention,
            patience: patience,
            handover: handover,
            now: { now },
            onNews: { news.add($0) }
        )
    }

    /// The news that an operator was told.
    final class News: Sendable {
        private let collected = Mutex<[EventStoreEvent]>([])

        var all: [EventStoreEvent] { collected.withLock { $0 } }

        func add(_ news: EventStoreEvent) { collected.withLock { $0.append(news) } }
    }

    static func search(
        after: Int? = nil,
        limit: Int = 1000,
        _ change: (inout EventSearch) -> Void = { _ in }
    ) -> EventSearch {
        var search = EventSearch(limit: limit)
        search.after = after
        change(&search)
        return search
    }
}
