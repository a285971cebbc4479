package import MediaCore

/// Suppresses repeated lines: libraries log the same for every packet.
///
/// Lines that differ only in numbers are the same.
package struct RepetitionFilter: Sendable {
    private struct Line {
        var reportedAt: MediaTime
        var suppressed = 0
    }

    private var lines: [String: Line] = [:]

    private static let period = MediaTime(seconds: 60)
    /// The most different lines within a period; beyond them nothing is let through.
    private static let capacity = 64

    package init() {}

    /// Takes a line.
    ///
    /// - Returns: The number of times that it was suppressed since it was last logged; nil if it is suppressed now.
    package mutating func admit(_ text: String, at now: MediaTime) -> Int? {
        let key = String(text.filter { !$0.isNumber })
        if let line = lines[key], now - line.reportedAt < Self.period {
            lines[key]?.suppressed += 1
            return nil
        }
        if lines[key] == nil, lines.count >= Self.capacity {
            lines = lines.filter { now - $0.value.reportedAt < Self.period }
            guard lines.count < Self.capacity else { return nil }
        }
        let suppressed = lines[key]?.suppressed ?? 0
        lines[key] = Line(reportedAt: now)
        return suppressed
    }
}
