/// Decides when the next object may be sent, so that the average rate stays below a limit.
///
/// The limit holds between objects and not within them. Each is sent at the speed of the line, and the next one once
/// those before would have ended at the limit.
struct UploadRate: Hashable, Sendable {
    typealias Instant = ContinuousClock.Instant

    /// The bits per second; nil for no limit.
    private let bitsPerSecond: Int?
    /// The time until which nothing may be sent; nil before the first object, and without a limit.
    private(set) var resumesAt: Instant?

    /// The idle time that may be made up for, so that a late timer costs nothing.
    private static let mostSaved = Duration.seconds(1)

    /// - Parameter bitsPerSecond: The rate, above 0; nil for no limit.
    init(bitsPerSecond: Int?) { self.bitsPerSecond = bitsPerSecond.map { max(1, $0) } }

    var isLimited: Bool { bitsPerSecond != nil }

    /// Returns true if an object may be sent.
    func mayBegin(at now: Instant) -> Bool { resumesAt.map { $0 <= now } ?? true }

    /// Notes the bytes of an object that is sent.
    mutating func begin(byteCount: Int, at now: Instant) {
        guard let bitsPerSecond, byteCount > 0 else { return }
        let earliest = now - Self.mostSaved
        resumesAt =
            max(resumesAt ?? earliest, earliest)
            + Duration.seconds(8 * Double(byteCount) / Double(bitsPerSecond))
    }
}
