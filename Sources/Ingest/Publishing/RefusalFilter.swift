/// Chooses the refusals to report: a client that tries keys all day must not fill the log.
struct RefusalFilter {
    private struct Refusal: Hashable {
        var address: String
        var reason: String
    }

    private var reported: [Refusal: ContinuousClock.Instant] = [:]

    /// The time after which the same refusal is reported again.
    private static let interval = Duration.seconds(60)
    /// The most refusals that are reported in that time.
    private static let most = 16

    /// - Parameters:
    ///   - address: The address that was refused.
    ///   - reason: The reason.
    ///   - now: The time of the refusal.
    /// - Returns: True if it is to be reported.
    mutating func reports(_ address: String, _ reason: String, at now: ContinuousClock.Instant) -> Bool {
        reported = reported.filter { now - $0.value < Self.interval }
        let refusal = Refusal(address: address, reason: reason)
        guard reported[refusal] == nil, reported.count < Self.most else { return false }
        reported[refusal] = now
        return true
    }
}
