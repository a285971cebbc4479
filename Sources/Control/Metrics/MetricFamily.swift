/// A metric with all its samples, as Prometheus reads them (text format 0.0.4).
struct MetricFamily: Hashable, Sendable {
    enum Kind: String, Sendable {
        case gauge, counter, histogram
    }

    struct Sample: Hashable, Sendable {
        /// The suffix of the family's name: `_bucket`, `_sum` and `_count` of a histogram.
        var suffix = ""
        var labels: [(name: String, value: String)]
        var value: Double

        static func == (one: Sample, other: Sample) -> Bool { one.text == other.text }
        func hash(into hasher: inout Hasher) { hasher.combine(text) }

        /// Labels and value as they are written.
        var text: String {
            let labels = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            let number = value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
            return (labels.isEmpty ? "" : "{\(labels)}") + " \(number)"
        }

        private static func escaped(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }
    }

    /// The name with its unit, and `_total` for a counter.
    var name: String
    var help: String
    var kind: Kind
    var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.help = help
        self.kind = kind
    }

    mutating func add(_ value: Double, _ labels: (String, String)...) {
        samples.append(Sample(labels: labels, value: value))
    }

    mutating func add(_ value: Int, _ labels: (String, String)...) {
        samples.append(Sample(labels: labels, value: Double(value)))
    }

    /// Adds a distribution.
    ///
    /// - Parameters:
    ///   - counts: The numbers of values below each bound and above the one before; one more for those above all.
    ///   - bounds: As many as there are counts but one, rising.
    ///   - sum: The sum of all values.
    ///   - labels: The labels of the distribution.
    mutating func add(counts: [Int], bounds: [Double], sum: Double, _ labels: (String, String)...) {
        var total = 0
        for (count, bound) in zip(counts, bounds.map { "\($0)" } + ["+Inf"]) {
            total += count
            samples.append(Sample(suffix: "_bucket", labels: labels + [("le", bound)], value: Double(total)))
        }
        samples.append(Sample(suffix: "_sum", labels: labels, value: sum))
        samples.append(Sample(suffix: "_count", labels: labels, value: Double(total)))
    }

    /// The text that is scraped; empty without samples.
    var text: String {
        if samples.isEmpty { return "" }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
            + samples.map { "\(name)\($0.suffix)\($0.text)\n" }.joined()
    }
}
