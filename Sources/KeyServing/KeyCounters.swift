import Synchronization

/// Counts of the requests for keys since the start.
package final class KeyCounters: Sendable {
    package struct Totals: Hashable, Sendable {
        package var granted = 0
        /// The number of refusals, by their reasons as clients get them.
        package var refused: [String: Int] = [:]
    }

    private let state = Mutex(Totals())

    package init() {}

    package var totals: Totals { state.withLock { $0 } }

    func answered(_ refusal: KeyRefusal?) {
        state.withLock { totals in
            if let refusal { totals.refused[refusal.code, default: 0] += 1 } else { totals.granted += 1 }
        }
    }
}
