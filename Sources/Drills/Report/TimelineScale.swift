/// The places of times in a picture.
struct TimelineScale {
    let span: Span
    let left: Double
    let width: Double

    /// The position in tenths of a unit, finer than visible.
    func x(_ time: Int) -> Double {
        let share = Double(min(max(time, span.start), span.end) - span.start) / Double(max(span.length, 1))
        return left + share * width
    }

    var right: Double { left + width }

    /// Times worth a label, in milliseconds: round ones, and not too many.
    var ticks: [Int] {
        let steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 43_200]
        let step = (steps.first { span.length / ($0 * 1000) <= 16 } ?? 86_400) * 1000
        let first = Int((Double(span.start) / Double(step)).rounded(.up))
        return (first...max(first, span.end / step)).map { $0 * step }.filter { span.start...span.end ~= $0 }
    }
}
