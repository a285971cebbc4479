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

    /// A store that often fails is not sent everything twice.
    @Test mutating func withoutBudgetNoPauseIsShort() {
        var now = start
        for _ in 0..<30 {
            pace.failed(sentAt: now, now: now + .milliseconds(1), retryAfter: nil, chance: 1)
            pace.succeeded(sentAt: now + .milliseconds(2))
            now += .seconds(1)
        }
        pace.failed(sentAt: now, now: now, retryAfter: nil, chance: 1)
        #expect(pace.resumesAt == now + .seconds(1))
        for _ in 0..<300 { pace.succeeded(sentAt: now + .milliseconds(1)) }
        pace.failed(sentAt: now + .seconds(1), now: now + .seconds(1), retryAfter: nil, chance: 1)
        #expect(pace.resumesAt == now + .milliseconds(1200))
    }

    /// A segment and a playlist of two renditions are four requests in each slot of four seconds.
    @Test mutating func aStoreThatFailsAThirdOfAllRequestsKeepsUp() {
        var now = start
        var delivered = 0
        for request in 0..<3000 {
            let sent = now
            now += .milliseconds(100)
            if request.isMultiple(of: 3) {
                pace.failed(sentAt: sent, now: now, retryAfter: nil, chance: 1)
                now = pace.resumesAt ?? now
            } else {
                pace.succeeded(sentAt: sent)
                delivered += 1
            }
        }
        #expect(now - start < .seconds(1) * delivered)
    }
}

@Suite struct PushHealthTests {
    private let busy = StoreProblem.busy(status: 503, code: "SlowDown")
    private let forbidden = StoreProblem.forbidden(status: 403, code: "AccessDenied")
    private let start = ContinuousClock.now
    private var health = PushHealth(calm: .seconds(15))

    /// Notes the result of a request at a time in seconds since the start.
    private mutating func note(
        _ result: StoreProblem?,
        of path: String = "a",
        lost: Int = 0,
        at seconds: Double = 0
    ) -> PushEvent? {
        health.noted(result, of: path, lost: lost, at: start + .seconds(seconds))
    }

    @Test mutating func oneFailureIsNoNews() {
        #expect(note(busy) == nil)
        #expect(note(nil) == nil)
        #expect(note(busy) == nil)
        #expect(note(busy, of: "b") == .began(busy, path: "b"))
        #expect(note(forbidden) == nil)
        #expect(health.problem == forbidden)
        #expect(note(nil, at: 1) == nil && note(nil, at: 15.9) == nil)
        #expect(health.problem == forbidden)
        #expect(note(nil, at: 16) == .ended(lost: 0))
        #expect(health.problem == nil)
    }

    @Test mutating func whatNeedsSomebodyIsToldAtOnce() {
        #expect(note(forbidden, of: "video.m3u8") == .began(forbidden, path: "video.m3u8"))
    }

    @Test mutating func lossesAreToldOnceAndCounted() {
        _ = note(nil, lost: 7)
        _ = note(forbidden, lost: 7)
        #expect(note(busy, lost: 8) == .losing(busy))
        #expect(note(busy, lost: 9) == nil)
        #expect(note(nil, lost: 9, at: 1) == nil)
        #expect(note(busy, lost: 9, at: 2) == nil)
        #expect(note(nil, lost: 10, at: 3) == nil)
        #expect(note(nil, lost: 10, at: 18) == .ended(lost: 3))
    }

    /// A store that fails some requests, or refuses playlists and takes segments, has one problem.
    @Test mutating func successesAmongFailuresEndNothing() {
        #expect(note(forbidden, of: "video.m3u8") == .began(forbidden, path: "video.m3u8"))
        for second in stride(from: 1.0, to: 120, by: 1) {
            let isPlaylist = second.truncatingRemainder(dividingBy: 10) == 0
            #expect(note(isPlaylist ? forbidden : nil, at: second) == nil)
        }
        #expect(note(nil, at: 125) == nil)
        #expect(note(nil, at: 126) == .ended(lost: 0))
    }

    /// A store may ask for a long pause: time without requests shows nothing.
    @Test mutating func aPauseEndsNothing() {
        #expect(note(forbidden) == .began(forbidden, path: "a"))
        #expect(note(nil, at: 60) == nil)
        #expect(note(forbidden, at: 61) == nil)
        #expect(note(nil, at: 70) == nil)
        #expect(note(nil, at: 85) == .ended(lost: 0))
    }
}
