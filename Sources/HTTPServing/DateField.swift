package import MediaCore
import Synchronization

/// The `Date` of answers (RFC 9110 § 6.6.1), written once a second.
package final class DateField: Sendable {
    private let current = Mutex((second: Int64.min, text: ""))

    package init() {}

    /// The field at a time of UTC, counted from 1970.
    package func text(at now: MediaTime) -> String {
        let second = now.ticks / MediaTime.timescale
        return current.withLock { current in
            if current.second != second { current = (second, HTTPDate.text(now)) }
            return current.text
        }
    }
}
