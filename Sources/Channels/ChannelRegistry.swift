import Atomics
import Synchronization

/// The channels of a process by their names: they come and go while others are served.
///
/// A name is taken from when its channel is put together until all that the channel has open is closed, so that two never
/// write to the same journal. The channel is found for the time between; finding it takes no lock.
package final class ChannelRegistry<Member: Sendable>: Sendable {
    private let state = Mutex(State())
    /// The channels that are found, replaced when one comes or goes.
    private let found = ManagedAtomic(Found())

    private struct State {
        var taken: Set<String> = []
        /// The names that are found, in the order in which they came.
        var names: [String] = []
        var members: [Substring: Member] = [:]
    }

    private final class Found: AtomicReference, Sendable {
        let names: [String]
        let members: [Substring: Member]

        init(names: [String] = [], members: [Substring: Member] = [:]) {
            (self.names, self.members) = (names, members)
        }
    }

    package init() {}

    /// Reserves a name for a channel that is about to be added.
    ///
    /// - Returns: True if the name was free.
    package func take(_ name: String) -> Bool { state.withLock { $0.taken.insert(name).inserted } }

    /// Makes the channel of a name that was taken findable.
    package func add(_ member: Member, as name: String) {
        state.withLock { state in
            if state.members.updateValue(member, forKey: name[...]) == nil { state.names.append(name) }
            show(state)
        }
    }

    /// Makes a channel unfindable; its name stays taken.
    ///
    /// - Returns: The channel; nil if there is none of that name.
    package func remove(_ name: String) -> Member? {
        state.withLock { state in
            state.names.removeAll { $0 == name }
            defer { show(state) }
            return state.members.removeValue(forKey: name[...])
        }
    }

    private func show(_ state: State) {
        found.store(Found(names: state.names, members: state.members), ordering: .releasing)
    }

    /// Frees a name, for another channel: nothing of the one before is left.
    package func free(_ name: String) { state.withLock { _ = $0.taken.remove(name) } }

    package var names: [String] { found.load(ordering: .acquiring).names }

    /// All channels that are found, in the order in which they came.
    package var members: [Member] {
        let found = found.load(ordering: .acquiring)
        return found.names.compactMap { found.members[$0[...]] }
    }

    package subscript(name: Substring) -> Member? { found.load(ordering: .acquiring).members[name] }
}
