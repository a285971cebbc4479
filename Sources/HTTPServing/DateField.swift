import Atomics
package import MediaCore

/// The `Date` of answers (RFC 9110 § 6.6.1), written once a second; reading it takes no lock.
package final class DateField: Sendable {
    private final class Written: AtomicReference, Sendable {
        let second: Int64
        let text: String

        init(second: Int64, text: String) {
            (self.second, self.text) = (second, text)
        }
    }

    private let current = ManagedAtomic(Written(second: .min, text: ""))

    package init() {}

    /// The field at a time of UTC, counted from 1970.
    package func text(at now: MediaTime) -> String {
        let second = now.ticks / MediaTime.timescale
        let written = current.load(ordering: .acquiring)
        if written.second == second { return written.text }
        // If several threads find the text outdated, all write an identical one.
        let text = HTTPDate.text(now)
        current.store(Written(second: second, text: text), ordering: .releasing)
        return text
    }
}
