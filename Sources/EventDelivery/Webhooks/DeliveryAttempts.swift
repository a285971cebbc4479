import Fetching

/// Decides on the delivery of an event to a webhook, by the answers.
struct DeliveryAttempts {
    enum Outcome: Hashable {
        case delivered
        /// Deliver again after this time.
        case retry(after: Duration, reason: String)
        /// The receiver will never accept this event.
        case refused(reason: String)
        /// The receiver is gone for good.
        case gone
    }

    private(set) var failures = 0

    private static let longestPause: Double = 60
    /// The longest pause, in seconds, that a receiver may request.
    private static let longestRequestedPause: Double = 600

    /// - Parameters:
    ///   - result: The result of the latest attempt: a status, and the seconds to wait (`Retry-After`).
    ///   - chance: Between 0 and 1: not all that fail together come back together.
    /// - Returns: The next step.
    mutating func outcome(
        of result: Result<(status: Int, retryAfter: Int?), FetchError>,
        chance: Double
    ) -> Outcome {
        switch result {
        case .success((200...299, _)): return .delivered
        // RFC 9110 § 15.5.11: likely to be permanent, and the owner wants no more requests.
        case .success((410, _)): return .gone
        // The content is at fault, not the moment (§§ 15.5.1, 15.5.14, 15.5.21).
        case .success((let status, _)) where [400, 413, 422].contains(status):
            return .refused(reason: "status \(status)")
        case .success((let status, let retryAfter)):
            let requested = retryAfter.map { min(max(0, Double($0)), Self.longestRequestedPause) }
            return retry(FetchError.status(status).description, chance, atLeast: requested ?? 0)
        case .failure(let error): return retry(error.description, chance, atLeast: 0)
        }
    }

    private mutating func retry(_ reason: String, _ chance: Double, atLeast requested: Double) -> Outcome {
        failures += 1
        let pause = min(Double(1 << min(failures - 1, 10)), Self.longestPause) * (0.75 + 0.5 * chance)
        return .retry(after: .seconds(max(pause, requested)), reason: reason)
    }
}
