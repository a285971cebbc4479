/// The time from one moment to another, in milliseconds since the drill's zero.
struct Span: Hashable, Codable, Sendable {
    var start: Int
    var end: Int

    init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = max(start, end)
    }

    var length: Int { end - start }

    /// Returns the part that lies within limits.
    func clamped(to limits: Span) -> Span {
        Span(min(max(start, limits.start), limits.end), min(max(end, limits.start), limits.end))
    }

    /// Returns the length of all spans together; overlaps count once.
    static func union(_ spans: [Span]) -> Int {
        var total = 0
        var reached = Int.min
        for span in spans.sorted(by: { $0.start < $1.start }) where span.end > reached {
            total += span.end - max(span.start, reached)
            reached = span.end
        }
        return total
    }
}
