/// The limits of a measurement for a drill to be passed.
struct MetricLimits: Hashable, Codable, Sendable {
    var metric: Metric
    /// The lower limit in the metric's unit; nil for none.
    var atLeast: Double?
    var atMost: Double?

    init(_ metric: Metric, atLeast: Double? = nil, atMost: Double? = nil) {
        self.metric = metric
        self.atLeast = atLeast
        self.atMost = atMost
    }

    /// Returns true if a measurement is within them; one that could not be made never is.
    func isMet(by value: Double?) -> Bool {
        guard let value else { return false }
        return (atLeast.map { value >= $0 } ?? true) && (atMost.map { value <= $0 } ?? true)
    }

    /// The limits, as they are written in a scenario file.
    var text: String {
        switch (atLeast, atMost) {
        case (let least?, let most?) where least == most: metric.text(most)
        case (let least?, let most?): "\(Decimals.text(least, places: 3)) to \(metric.text(most))"
        case (let least?, nil): "at least \(metric.text(least))"
        case (nil, let most?): "at most \(metric.text(most))"
        case (nil, nil): "anything"
        }
    }
}

extension MetricLimits {
    /// Reads limits: `0`, `at most 2 s`, `at least 1`, `2 to 6 s`.
    ///
    /// A number alone has to be met exactly, which only counts and zero can be.
    ///
    /// - Throws: ``MalformedLimits``, which says how to write it.
    init(_ metric: Metric, limits text: String) throws(MalformedLimits) {
        var words = text.split(separator: " ").map(String.init)
        let unit = metric.unit.rawValue.split(separator: " ").map(String.init)
        if !unit.isEmpty, words.count > unit.count, Array(words.suffix(unit.count)) == unit {
            words.removeLast(unit.count)
        }
        let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0 >= 0 }
        let phrase = words.map { Double($0) == nil ? $0 : "#" }
        switch (phrase, numbers.first, numbers.last) {
        case (["at", "most", "#"], let value?, _): self.init(metric, atMost: value)
        case (["at", "least", "#"], let value?, _): self.init(metric, atLeast: value)
        case (["#", "to", "#"], let least?, let most?) where numbers.count == 2 && least <= most:
            self.init(metric, atLeast: least, atMost: most)
        case (["#"], let value?, _) where value == 0 || metric.unit == .count:
            self.init(metric, atLeast: value, atMost: value)
        default: throw MalformedLimits(metric: metric)
        }
    }

    /// Limits that say nothing, or nothing that can be.
    struct MalformedLimits: Error, Hashable, CustomStringConvertible {
        var metric: Metric

        var description: String {
            let unit = metric.unit.rawValue
            let number = unit.isEmpty ? "2" : "2 \(unit)"
            return "'0', 'at most \(number)', 'at least \(number)' or '1 to \(number)' is expected"
        }
    }
}
