import Fetching
import Testing

@testable import EventDelivery

@Suite struct DeliveryAttemptsTests {
    private static func outcome(_ status: Int, retryAfter: Int? = nil) -> DeliveryAttempts.Outcome {
        var attempts = DeliveryAttempts()
        return attempts.outcome(of: .success((status, retryAfter)), chance: 0.5)
    }

    @Test(arguments: [200, 201, 202, 204])
    func successStatusDeliversTheEvent(status: Int) {
        #expect(Self.outcome(status) == .delivered)
    }

    @Test(arguments: [301, 302, 401, 403, 404, 408, 429, 500, 502, 503])
    func temporaryStatusIsRetried(status: Int) {
        guard case .retry(.seconds(1), let reason) = Self.outcome(status) else {
            Issue.record("\(Self.outcome(status))")
            return
        }
        #expect(reason.contains("redirects are not followed") == (300...399).contains(status))
    }

    @Test(arguments: [400, 413, 422])
    func clientErrorRefusesTheEvent(status: Int) {
        #expect(Self.outcome(status) == .refused(reason: "status \(status)"))
    }

    @Test func status410EndsTheDelivery() {
        #expect(Self.outcome(410) == .gone)
    }

    @Test func pausesGrowAndHaveAnEnd() {
        var attempts = DeliveryAttempts()
        let pauses = (0..<10).map { _ in
            guard case .retry(let pause, _) = attempts.outcome(of: .failure(.timeout), chance: 0.5) else { return 0.0 }
            return pause / .seconds(1)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
    }

    @Test(arguments: [(30, 30.0), (86_400, 600), (-5, 1)])
    func aReceiverMayAskForTime(seconds: Int, pause: Double) {
        let outcome = Self.outcome(503, retryAfter: seconds)
        guard case .retry(let given, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(given == .seconds(pause))
    }
}
