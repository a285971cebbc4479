import Synchronization

@testable import ObjectStores

/// The events of a push.
final class PushEvents: Sendable {
    private let events = Mutex<[PushEvent]>([])

    var all: [PushEvent] { events.withLock(\.self) }

    func append(_ event: PushEvent) { events.withLock { $0.append(event) } }
}
