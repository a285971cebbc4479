/// Decides which connection without a key yet gives way to the next one.
///
/// Places are shared by network. When all are taken, the network that holds most of them gives one up: the one that has
/// made no progress for longest. So a crowd at one address takes places from itself, and a client that makes progress
/// on one connection keeps it.
package struct Newcomers<ID: Hashable & Sendable>: Sendable {
    private struct Newcomer {
        var network: String
        /// The number of the event of its arrival, or of its last progress.
        var moved: UInt64
    }

    /// The connection that has to go.
    package struct Displacement: Hashable, Sendable {
        package var id: ID
        package var network: String
        /// The number of places that its network held.
        package var held: Int
    }

    /// The number of places.
    package let most: Int
    private var newcomers: [ID: Newcomer] = [:]
    private var counts: [String: Int] = [:]
    private var events: UInt64 = 0

    package init(most: Int) {
        self.most = most
    }

    package var ids: some Collection<ID> { newcomers.keys }

    package func contains(_ id: ID) -> Bool { newcomers[id] != nil }

    /// Gives a connection a place.
    ///
    /// - Parameters:
    ///   - id: A connection that has none yet.
    ///   - network: The network that it is counted by.
    /// - Returns: The connection that gives way, if all places were taken.
    package mutating func came(_ id: ID, from network: String) -> Displacement? {
        left(id)
        let displaced = newcomers.count < most ? nil : leaving(beside: network)
        if let displaced { left(displaced.id) }
        events += 1
        newcomers[id] = Newcomer(network: network, moved: events)
        counts[network, default: 0] += 1
        return displaced
    }

    /// Notes that a connection has come closer to showing a key.
    package mutating func advanced(_ id: ID) {
        events += 1
        newcomers[id]?.moved = events
    }

    /// Frees the place of a connection that has ended, or needs none any more.
    package mutating func left(_ id: ID) {
        guard let network = newcomers.removeValue(forKey: id)?.network, let count = counts[network] else { return }
        counts[network] = count > 1 ? count - 1 : nil
    }

    private func leaving(beside network: String) -> Displacement? {
        // The new connection counts, too.
        let most = max(counts.values.max() ?? 0, counts[network, default: 0] + 1)
        func held(_ name: String) -> Int { counts[name, default: 0] + (name == network ? 1 : 0) }
        let oldest = newcomers.filter { held($0.value.network) == most }.min { $0.value.moved < $1.value.moved }
        return oldest.map { Displacement(id: $0.key, network: $0.value.network, held: counts[$0.value.network] ?? 0) }
    }
}
