import Testing

@testable import ObjectStores

@Suite struct PushPaceTests {
    private let start = ContinuousClock.now
    private var pace = PushPace(maximum: 16)

    private func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test mutating func failuresHalveWhatIsSentAtOnce() {
        pace.failed(sentAt: start, now: time(1), retryAfter: nil, chance: 1)
        #expect(pace.lanes(at: time(1)) == 0)
        #expect(pace.lanes(at: time(1.3)) == 8)
        for index in 0..<8 {
            pace.failed(sentAt: time(2 + Double(index)), now: time(3 + Double(index)), retryAfter: nil, chance: 1)
        }
        #expect(pace.lanes == 1)
        for _ in 0..<40 { pace.succeeded(sentAt: time(11)) }
        #expect(pace.lanes(at: time(11)) == 16)
    }

    /// All that were under way fail of one cause.
    @Test mutating func failuresTogetherAreOne() {
        for _ in 0..<16 { pace.failed(sentAt: start, now: time(1), retryAfter: nil, chance: 1) }
        #expect(pace.failures == 1 && pace.lanes(at: time(1.3)) == 8)
    }

    @Test mutating func pausesGrowUpToTenSeconds() {
        var pauses: [Duration] = []
        var now = start
        for _ in 0..<12 {
            pace.failed(sentAt: now, now: now + .milliseconds(1), retryAfter: nil, chance: 1)
            let resumption = pace.resumesAt ?? now
            pauses.append(resumption - now - .milliseconds(1))
            now = resumption
        }
        #expect(pauses[..<4] == [.milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600)])
        #expect(pauses[6...].allSatisfy { $0 == .seconds(10) })
    }

    @Test(arguments: [(0.0, 100), (0.5, 150), (1, 200)])
    mutating func chanceIsInPauses(chance: Double, milliseconds: Int) {
        pace.failed(sentAt: start, now: time(1), retryAfter: nil, chance: chance)
        #expect(pace.resumesAt == time(1) + .milliseconds(milliseconds))
    }

    @Test mutating func aStoreMaySayWhen() {
        pace.failed(sentAt: start, now: time(1), retryAfter: .seconds(30), chance: 1)
        #expect(pace.lanes(at: time(30.9)) == 0 && pace.lanes(at: time(31)) == 8)
    }

    /// Requests that were under way show nothing of what the store asks for now.
    @Test mutating func successFromBeforeAPauseDoesNotEndIt() {
        pace.failed(sentAt: start, now: time(1), retryAfter: .seconds(30), chance: 1)
        for _ in 0..<15 { pace.succeeded(sentAt: start) }
        #expect(pace.lanes(at: time(30.9)) == 0 && pace.lanes(at: time(31)) == 8 && pace.failures == 1)
        pace.succeeded(sentAt: time(31))
        #expect(pace.failures == 0 && pace.lanes(at: time(31)) == 9)
    }

    /// A store that fails now and then is not sent everything twice.
    @Test mutating func withoutBudgetEveryPauseIsLong() {
        var now = start
        for _ in 0..<30 {
            pace.failed(sentAt: now, now: now + .milliseconds(1), retryAfter: nil, chance: 1)
            pace.succeeded(sentAt: now + .milliseconds(2))
            now += .seconds(1)
        }
        pace.failed(sentAt: now, now: now, retryAfter: nil, chance: 1)
        #expect(pace.resumesAt == now + .seconds(10))
        for _ in 0..<300 { pace.succeeded(sentAt: now + .milliseconds(1)) }
        pace.failed(sentAt: now + .seconds(1), now: now + .seconds(1), retryAfter: nil, chance: 1)
        #expect(pace.resumesAt == now + .milliseconds(1200))
    }
}

@Suite struct PushHealthTests {
    private let busy = StoreProblem.busy(status: 503, code: "SlowDown")
    private let forbidden = StoreProblem.forbidden(status: 403, code: "AccessDenied")
    private var health = PushHealth()

    @Test mutating func oneFailureIsNoNews() {
        #expect(health.noted(busy, lost: 0) == nil)
        #expect(health.noted(nil, lost: 0) == nil)
        #expect(health.noted(busy, lost: 0) == nil)
        #expect(health.noted(busy, lost: 0) == .began(busy))
        #expect(health.noted(forbidden, lost: 0) == nil)
        #expect(health.problem == forbidden)
        #expect(health.noted(nil, lost: 0) == .ended(lost: 0))
        #expect(health.problem == nil)
    }

    @Test mutating func whatNeedsSomebodyIsToldAtOnce() {
        #expect(health.noted(forbidden, lost: 0) == .began(forbidden))
    }

    @Test mutating func lossesAreToldOnceAndCounted() {
        _ = health.noted(nil, lost: 7)
        _ = health.noted(forbidden, lost: 7)
        #expect(health.noted(busy, lost: 8) == .losing(busy))
        #expect(health.noted(busy, lost: 9) == nil)
        #expect(health.noted(nil, lost: 10) == .ended(lost: 3))
    }
}
