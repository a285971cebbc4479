import Channels
import ContentProtection
import Ingest
import MediaCore
import PackagerConfig
import Segmenting
import Timeline

/// Handing all channels to another process, and taking them back.
extension ChannelHost {
    /// Keeps what is read from now on of feeds that another process can go on with.
    ///
    /// - Returns: How long that has to go on until the slot that is being filled is whole in it.
    func startTapes() -> Duration {
        var longest = MediaTime.zero
        for member in registry.members {
            for reader in member.service.readers { reader.tape?.tape.start() }
            longest = max(longest, member.service.channel.configuration.grid.slotDuration)
        }
        // The slot that is under way began before the tape; the one after it is on it with what comes early of it.
        return .milliseconds(2 * longest.milliseconds)
    }

    /// What the numbers and keys of each channel depend on.
    var streamIdentities: [String: [String: String]] {
        Dictionary(registry.members.map { ($0.name, $0.streamIdentity) }) { first, _ in first }
    }

    /// Forgets what was kept.
    func clearTapes() {
        for member in registry.members { for reader in member.service.readers { reader.tape?.tape.clear() } }
    }

    /// Lets all channels go: what is decided is published, nothing after that, and all that they list is served on.
    ///
    /// - Returns: What they leave, in their order.
    func letGo() async -> [(name: String, predecessor: ChannelPredecessor)] {
        var left: [(name: String, predecessor: ChannelPredecessor)] = []
        for member in registry.members {
            await close(member, ends: false)
            left.append((member.name, ChannelPredecessor(member)))
        }
        return left
    }

    /// What was read of feeds since their tapes were started, by location.
    var tapes: [String: [UInt8]] {
        let tapes = registry.members.flatMap { $0.service.readers.compactMap(\.tape) }
        return Dictionary(tapes.map { ($0.location, $0.tape.bytes) }) { $0.count >= $1.count ? $0 : $1 }
    }

    /// Goes on with channels that were let go.
    ///
    /// - Throws: ``SetupError`` with everything that keeps them from it.
    func takeBack(_ left: [(name: String, predecessor: ChannelPredecessor)]) async throws(SetupError) {
        let predecessors = Dictionary(left.map { ($0.name, $0.predecessor) }) { first, _ in first }
        try await put(configurations.filter { predecessors[$0.name] != nil }, after: predecessors)
    }
}
