package import MediaCore

/// Suppresses repeated lines: libraries log the same for every packet.
///
/// Lines that differ only in numbers are the same.
package struct RepetitionFilter: Sendable {
    private var lines = OccurrenceLimit<String>(period: MediaTime(seconds: 60), capacity: 64)

    package init() {}

    /// Takes a line.
    ///
    /// - Returns: The number of times that it was suppressed since it was last logged; nil if it is suppressed now.
    package mutating func admit(_ text: String, at now: MediaTime) -> Int? {
        lines.admit(String(text.filter { !$0.isNumber }), at: now)
    }
}
