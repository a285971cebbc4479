import MediaCore
import NIOCore
import Synchronization

/// Publishers that stay connected while another process replaces this one.
///
/// A feed that is one connection of an encoder cannot be opened a second time: the connection itself changes hands,
/// between two reads, with its kept messages.
package enum HandedPublishers {
    /// Publishers that wait for a reader of their stream.
    private static let waiting = Mutex<[PublishingAddress: HandedPublisher]>([:])
    private static let keeps = Atomic(false)

    /// Connections that another process may leave: more than inputs of any packager.
    package static let most = 1_024

    /// True while published messages are kept.
    static var areKept: Bool { keeps.load(ordering: .acquiring) }

    /// Keeps the bytes published from now on, for readers in the next process.
    package static func startBuffering() {
        keeps.store(true, ordering: .releasing)
        _ = PublishingServer.withPublishers { for handler in $0 { handler.startBuffering() } }
    }

    /// Drops the kept messages, and stops keeping them.
    package static func stopBuffering() {
        keeps.store(false, ordering: .releasing)
        _ = PublishingServer.withPublishers { for handler in $0 { handler.stopBuffering() } }
    }

    /// Stops reading from publishers: their data waits in their sockets, and their readers wait for it.
    ///
    /// - Returns: Their connections, for ``expect(_:)`` here or in another process; and the publishers that cannot be
    ///   handed over.
    package static func part() async -> (publishers: [HandedPublisher], kept: [String]) { await part { _ in true } }

    /// - Parameter isWanted: Returns true for places whose publishers are handed over; others are not touched.
    /// - Returns: As ``part()``.
    static func part(
        where isWanted: @escaping @Sendable (PublishingAddress?) -> Bool
    ) async -> (publishers: [HandedPublisher], kept: [String]) {
        let parted = PublishingServer.withPublishers { $0.filter { isWanted($0.address) }.map { $0.part() } }
        var (publishers, kept): ([HandedPublisher], [String]) = ([], [])
        for result in (try? await parted.get()) ?? [] {
            switch result {
            case .success(let publisher): publishers.append(publisher)
            case .failure(let obstacle): kept.append(obstacle.description)
            }
        }
        return (publishers, kept)
    }

    /// Lets publishers wait for readers of their streams, which continue where the former ones stopped.
    ///
    /// - Returns: True if there is room for all; the others are cut off.
    @discardableResult
    package static func expect(_ publishers: [HandedPublisher]) -> Bool {
        waiting.withLock { waiting in
            for publisher in publishers {
                guard waiting.count < most, waiting[publisher.address] == nil else { return false }
                waiting[publisher.address] = publisher
            }
            return true
        }
    }

    /// Returns true if a publisher waits for a reader of a feed, by the location of an ``InputReader``.
    package static func isExpected(at location: String) -> Bool {
        guard let address = FeedAddress(FeedLocation(location)).publishing else { return false }
        return waiting.withLock { $0[address] != nil }
    }

    /// Gives the publisher of a stream to its reader.
    static func claim(_ address: PublishingAddress) -> HandedPublisher? {
        waiting.withLock { $0.removeValue(forKey: address) }
    }

    /// Cuts off all that still wait.
    ///
    /// - Returns: The addresses that they come from, which have no key in them.
    package static func closeUnclaimed() -> [String] {
        let left = waiting.withLock { waiting in
            defer { waiting = [:] }
            return Array(waiting.values)
        }
        for publisher in left { publisher.close() }
        return left.map(\.description)
    }
}
