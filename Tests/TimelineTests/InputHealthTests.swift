import MediaCore
import Operations
import Testing

@testable import Timeline

@Suite struct InputHealthTests {
    private static let checks = InputHealth.Checks(
        frozen: MediaTime(seconds: 5),
        silence: MediaTime(seconds: 10)
    )

    /// Score and reasons as one text.
    private static func text(_ report: InputHealth.Report) -> String {
        (["\(report.score)"] + report.reasons.map { "-\($0.deduction) \($0.fault.rawValue): \($0.text)" })
            .joined(separator: "\n")
    }

    @Test func anInputIsNothingBeforeItIsOpened() {
        let health = InputHealth()
        let report = health.report(at: HealthDriver.start)
        #expect(Self.text(report) == "0\n-100 disconnected: Nothing has arrived yet.")
        #expect(!report.isConnected && report.bitrate == 0 && report.lastKeyFrameAge == nil)
    }

    @Test func aWholeFeedHasNoReasons() {
        var driver = HealthDriver(checks: Self.checks)
        driver.run(for: 60_020)
        let report = driver.report
        #expect(Self.text(report) == "100")
        #expect(report.isConnected && !report.isFrozen && !report.isSilent)
        #expect(report.lastKeyFrameAge == MediaTime(milliseconds: 0))
        // 25 pictures a second, 15.4 kB in the mean, and 47 audio frames.
        #expect((2_800_000...3_600_000).contains(report.bitrate))
    }

    @Test func aLostConnectionLeavesNothing() {
        var driver = HealthDriver()
        driver.run(for: 10_000)
        driver.health.lost(at: HealthDriver.time(10_000))
        driver.wait(3_210)
        driver.health.lost(at: HealthDriver.time(13_000))
        #expect(Self.text(driver.report) == "0\n-100 disconnected: The connection was lost 3.2 s ago.")
        driver.health.opened(at: HealthDriver.time(13_210))
        driver.run(for: 2_000)
        #expect(Self.text(driver.report) == "100")
    }

    @Test(
        arguments: [
            (900, "100"),
            (1_000, "50\n-50 stalled: No packet has come for 1.0 s."),
            (3_000, "20\n-80 stalled: No packet has come for 3.0 s."),
            (12_340, "0\n-100 stalled: No packet has come for 12.3 s."),
        ] as [(Int64, String)]
    )
    func withoutPacketsNothingElseIsJudged(milliseconds: Int64, expected: String) {
        var driver = HealthDriver()
        driver.run(for: 30_000)
        driver.health.continuityError(at: HealthDriver.time(-40_000))
        driver.wait(milliseconds)
        #expect(Self.text(driver.report) == expected)
    }

    /// Packets of tracks that are left out are not counted.
    @Test(
        arguments: [
            (.media, "0\n-100 stalled: No packet has come for 60.0 s."),
            (.nothing, "0\n-100 stalled: It has no track that this channel can carry."),
            (.text, "100"),
        ] as [(InputHealth.Offer, String)]
    )
    func onlyMediaThatIsOfferedIsMissed(offer: InputHealth.Offer, expected: String) {
        var driver = HealthDriver()
        driver.health.opened(at: HealthDriver.start, offer: offer)
        driver.wait(60_000)
        #expect(Self.text(driver.report) == expected)
        #expect(driver.report.isConnected)
    }

    @Test func aFeedThatComesInSegmentsIsGivenPatience() {
        var driver = HealthDriver()
        // A segment at once, when it is opened; then one every six seconds.
        driver.wait(6_000, isLost: false)
        driver.run(for: 100)
        for _ in 0..<20 {
            driver.wait(5_900, isLost: false)
            #expect(driver.report.score == 100)
            driver.run(for: 100) { #expect($0.score == 100) }
        }
        driver.wait(10_000)
        #expect(driver.report.reasons.map(\.fault) == [.stalled])
    }

    @Test(
        arguments: [
            (0, 0, "100"),
            (1, 0, "95\n-5 continuity-errors: 1 continuity error in the last minute."),
            (10, 0, "85\n-15 continuity-errors: 10 continuity errors in the last minute."),
            (60, 0, "65\n-35 continuity-errors: 60 continuity errors in the last minute."),
            (600, 0, "40\n-60 continuity-errors: 600 continuity errors in the last minute."),
            (0, 1, "95\n-5 timestamp-errors: 1 timestamp was repaired in the last minute."),
            (0, 60, "65\n-35 timestamp-errors: 60 timestamps were repaired in the last minute."),
            (
                1, 11,
                """
                80
                -15 timestamp-errors: 11 timestamps were repaired in the last minute.
                -5 continuity-errors: 1 continuity error in the last minute.
                """
            ),
        ] as [(Int, Int, String)]
    )
    func errorsCostByTheirRate(continuity: Int, timestamps: Int, expected: String) {
        var driver = HealthDriver()
        driver.run(for: 20_000)
        for _ in 0..<continuity { driver.health.continuityError(at: HealthDriver.time(driver.now)) }
        for _ in 0..<timestamps { driver.health.timestampRepair(at: HealthDriver.time(driver.now)) }
        driver.run(for: 58_000)
        #expect(Self.text(driver.report) == expected)
        // After a minute they are history.
        driver.run(for: 3_000)
        #expect(Self.text(driver.report) == "100")
        #expect(driver.report.continuityErrors == InputHealth.ErrorCount(lastMinute: 0, total: continuity))
        #expect(driver.report.timestampErrors == InputHealth.ErrorCount(lastMinute: 0, total: timestamps))
    }

    @Test(
        arguments: [
            (1, "95\n-5 dependent-segments: 1 segment of the last minute had"),
            (4, "80\n-20 dependent-segments: 4 segments of the last minute had"),
        ] as [(Int, String)]
    )
    func segmentsThatNotEveryPlayerCanBeginWithAreAReason(count: Int, expected: String) {
        var driver = HealthDriver()
        driver.run(for: 20_000)
        for _ in 0..<count { driver.health.dependentSegment(at: HealthDriver.time(driver.now)) }
        #expect(
            Self.text(driver.report) == expected + " to begin without an IDR picture; "
                + "set the encoder to one at least every half segment duration."
        )
        driver.run(for: 61_000)
        #expect(Self.text(driver.report) == "100")
    }

    @Test(
        arguments: [
            (2_000, "100"),
            (4_000, "100"),
            (
                4_100,
                "70\n-30 key-frame-overdue: "
                    + "Video track 0 had its last key frame 4.1 s ago; one every 2.0 s was expected."
            ),
            (
                8_100,
                "40\n-60 key-frame-overdue: "
                    + "Video track 0 had its last key frame 8.1 s ago; one every 2.0 s was expected."
            ),
        ] as [(Int64, String)]
    )
    func aKeyFrameIsOverdueAfterTwoIntervals(age: Int64, expected: String) {
        var driver = HealthDriver()
        // The key frame of 20 s is sent at 20.02 s.
        driver.run(for: 20_020)
        driver.feed.sendsKeyFrames = false
        driver.run(for: age)
        #expect(Self.text(driver.report) == expected)
    }

    @Test func anEncoderWithLongGroupsIsGivenTheirTime() {
        var driver = HealthDriver(feed: HealthDriver.Feed(group: 250))
        driver.run(for: 100_000) { #expect($0.score == 100) }
        driver.feed.sendsKeyFrames = false
        driver.run(for: 30_000)
        #expect(driver.report.reasons.map(\.fault) == [.keyFrameOverdue])
    }

    @Test func aFeedWithoutAnyKeyFrameIsNotWaitedForLonger() {
        var driver = HealthDriver(feed: HealthDriver.Feed(sendsKeyFrames: false))
        driver.run(for: 9_000) { #expect($0.score == 100) }
        driver.run(for: 2_000)
        #expect(
            Self.text(driver.report) == "70\n-30 key-frame-overdue: Video track 0 has had no key frame for 10.9 s."
        )
    }

    @Test func aTrackThatStopsIsMissedAndNotWaitedForByItsKeyFrames() {
        var driver = HealthDriver(checks: Self.checks)
        driver.run(for: 20_000)
        driver.feed.audioTracks = []
        driver.run(for: 2_500)
        #expect(
            Self.text(driver.report) == "60\n-40 track-lost: Audio track 1 has stopped for 2.5 s while others go on."
        )
        driver.feed.audioTracks = [1]
        driver.feed.sendsVideo = false
        driver.run(for: 12_000)
        #expect(driver.report.reasons.map(\.fault).first == .trackLost)
        #expect(!driver.report.reasons.map(\.fault).contains(.keyFrameOverdue))
        #expect(driver.report.score <= 40)
    }

    @Test func aBitRateFarBelowItsUsualOneIsAReason() {
        var driver = HealthDriver(feed: HealthDriver.Feed(audioTracks: []))
        driver.run(for: 60_000)
        driver.feed.easiness = 7
        driver.run(for: 6_000)
        #expect(driver.report.reasons.map(\.fault) == [.bitrateFallen])
        #expect(driver.report.score == 90)
        driver.feed.easiness = 50
        driver.run(for: 6_000)
        #expect(driver.report.score == 80)
        // After some minutes it is the usual one.
        driver.run(for: 900_000)
        #expect(driver.report.score == 100)
    }

    @Test func aFrozenAndSilentFeedSaysBoth() {
        var driver = HealthDriver(checks: Self.checks)
        driver.run(for: 20_000)
        driver.feed.isFrozen = true
        driver.feed.isSilent = true
        driver.run(for: 20_000)
        let report = driver.report
        #expect(report.isFrozen && report.isSilent)
        #expect(report.reasons.map(\.fault) == [.frozen, .silent, .bitrateFallen])
        #expect(report.score == 0)
        #expect(report.summary.hasPrefix("Video track 0 has shown the same picture for 20.0 s. "))
        driver.feed.isFrozen = false
        driver.feed.isSilent = false
        driver.run(for: 2_000)
        #expect(!driver.report.isFrozen && !driver.report.isSilent)
    }

    @Test func whatIsNotCheckedIsNotFound() {
        var driver = HealthDriver(feed: HealthDriver.Feed(isFrozen: true, isSilent: true))
        driver.run(for: 60_000)
        #expect(Self.text(driver.report) == "100")
    }

    @Test func aStallIsNoFrozenPicture() {
        var driver = HealthDriver(checks: Self.checks)
        driver.run(for: 20_000)
        driver.feed.isFrozen = true
        driver.feed.isSilent = true
        driver.run(for: 4_000)
        driver.wait(30_000)
        driver.run(for: 1_000)
        #expect(!driver.report.isFrozen && !driver.report.isSilent)
    }

    @Test func aClockThatIsSetBackMakesNoFault() {
        var driver = HealthDriver(checks: Self.checks)
        driver.run(for: 30_000)
        let health = driver.health
        for seconds in [1, 59, 61, 3_600, 86_400 * 365] as [Int64] {
            let report = health.report(at: HealthDriver.time(30_000) - MediaTime(seconds: seconds))
            #expect(report.score == 100)
            #expect(report.lastKeyFrameAge == (seconds == 1 ? MediaTime(milliseconds: 980) : .zero))
        }
    }
}
