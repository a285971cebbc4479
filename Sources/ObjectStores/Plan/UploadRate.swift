/// Decides when the next object may be sent, so that all of them together stay below a rate on average.
///
/// It is kept between objects and not within them: each is sent as fast as the line is, and the next one once those before
/// would be over at that rate.
struct UploadRate: Hashable, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The bits of a second; nil for no limit.
    private let bitsPerSecond: Int?
    /// The time before which nothing may be sent; nil before anything was, and without a limit.
    private(set) var resumesAt: Instant?

    /// The time without uploads that is made up for, so that a timer which is late costs nothing.
    private static let mostSaved = Duration.seconds(1)

    /// - Parameter bitsPerSecond: The rate, above 0; nil for no limit.
    init(bitsPerSecond: Int?) { self.bitsPerSecond = bitsPerSecond.map { max(1, $0) } }

    var isLimited: Bool { bitsPerSecond != nil }

    /// Returns true if something may be sent.
    func mayBegin(at now: Instant) -> Bool { resumesAt.map { $0 <= now } ?? true }

    /// Notes that something is sent.
    mutating func begin(byteCount: Int, at now: Instant) {
        guard let bitsPerSecond, byteCount > 0 else { return }
        let earliest = now - Self.mostSaved
        resumesAt =
            max(resumesAt ?? earliest, earliest)
            + Duration.seconds(8 * Double(byteCount) / Double(bitsPerSecond))
    }
}
