package import MediaCore

/// Lets lines through that were not said lately: libraries say the same of every packet.
///
/// Lines that differ in numbers alone are the same.
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

    /// A line is to be said.
    ///
    /// - Returns: The number of times that it was left out since it was said last; nil if it is to be left out.
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
