/// The progress of a job, which turns files into files.
struct JobProgress: Hashable {
    /// The share that is read, from 0 to 1; nil if that is not known.
    var fraction: Double?
    /// The time since it began.
    var elapsed: Duration
    /// The length of the programme that is published, in seconds.
    var published: Double
    var segments: Int
    var gaps: Int

    /// The line with the progress: `43 % · 31 times real time · 0:42 left · 512 segments · 0 gaps`.
    var text: String {
        let seconds = elapsed / .seconds(1)
        var parts: [String] = []
        if let fraction { parts.append("\(Int(fraction * 100)) %") }
        if seconds >= 1, published > 0 { parts.append("\(Self.rate(published / seconds)) times real time") }
        // The first moments allow no estimate.
        if let fraction, fraction > 0.01, seconds >= 2 {
            parts.append("\(Self.clock(seconds * (1 - fraction) / fraction)) left")
        }
        parts.append("\(segments) segments")
        parts.append("\(gaps) gaps")
        return parts.joined(separator: " · ")
    }

    /// Writes a rate, with one digit after the point if there is one before it.
    private static func rate(_ value: Double) -> String {
        if value >= 10 { return "\(Int(value.rounded()))" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `0:42`, `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let total = Int(seconds.rounded())
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }
}
