import MediaCore
import XML

/// The time expressions of a TTML document (TTML1 § 6.2, § 10.3.1).
struct TTMLTiming {
    private var frameRate = 30.0
    private var tickRate = 1.0

    /// - Parameter root: Its `tt`.
    init(of root: Element) {
        if let rate = root.value("frameRate").flatMap(Double.init), rate > 0 { frameRate = rate }
        let multiplier =
            root.value("frameRateMultiplier")?.split { " :".contains($0) }.compactMap { Double($0) } ?? []
        if multiplier.count == 2, multiplier[0] > 0, multiplier[1] > 0 { frameRate *= multiplier[0] / multiplier[1] }
        // TTML1 § 6.2.10: a tick is a frame where the document says how long frames are, and else a second.
        let usual = root.value("frameRate") == nil ? tickRate : frameRate
        tickRate = root.value("tickRate").flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? usual
    }

    /// - Parameter text: A clock time, `00:00:01.5` or `00:00:01:12`, or an offset, `1.5s`.
    /// - Returns: The time; nil if the text is not a time.
    func time(_ text: String) -> MediaTime? {
        guard let seconds = text.contains(":") ? clockTime(text) : offset(text), seconds >= 0 else { return nil }
        return MediaTime(decimalSeconds: seconds)
    }

    /// The time during which an element is shown.
    struct Span {
        var start = MediaTime.zero
        /// The end; nil if no attribute gives it.
        var end: MediaTime?

        var isEmpty: Bool { end.map { $0 <= start } ?? false }

        func contains(_ time: MediaTime) -> Bool { start <= time && end.map { time < $0 } ?? true }
    }

    /// The attributes that time an element.
    static let attributes = ["begin", "end", "dur"]

    /// Returns an element's span, or nil if a time cannot be read; times are relative to the parent element (TTML1 §
    /// 10.2).
    func span(of element: Element, in outer: Span) -> Span? {
        var times: [String: MediaTime] = [:]
        for name in Self.attributes {
            guard let text = element.value(name) else { continue }
            guard let time = self.time(text) else { return nil }
            times[name] = time
        }
        let start = outer.start + (times["begin"] ?? .zero)
        let ends = [times["end"].map { outer.start + $0 }, times["dur"].map { start + $0 }, outer.end]
        return Span(start: start, end: ends.compactMap(\.self).min())
    }

    private func clockTime(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 4, let hours = parts[0].number, let minutes = parts[1].number,
            minutes < 60, let seconds = parts[2].decimal, seconds < 61, parts.count == 3 || parts[2].number != nil
        else { return nil }
        var time = Double(hours) * 3600 + Double(minutes) * 60 + seconds
        if parts.count == 4 {
            guard let frames = parts[3].decimal else { return nil }
            time += frames / frameRate
        }
        return time
    }

    private func offset(_ text: String) -> Double? {
        let metric = String(text.drop { $0.isNumber || $0 == "." })
        guard let value = text.dropLast(metric.count).decimal else { return nil }
        switch metric {
        case "h": return value * 3600
        case "m": return value * 60
        case "s": return value
        case "ms": return value / 1000
        case "f": return value / frameRate
        case "t": return value / tickRate
        default: return nil
        }
    }
}

extension StringProtocol {
    /// The number, if it is made of digits and at most one point; nil otherwise.
    fileprivate var decimal: Double? {
        utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } ? Double(self) : nil
    }
}
