import MediaCore
import Testing

@testable import ContentProtection

@Suite struct KeyTimelineTests {
    private typealias Request = KeyTimeline.Request

    private static func reference(_ name: UInt64) -> KeyReference {
        KeyReference(keyID: KeyID(Bytes16(high: 0, low: name)), constantIV: Bytes16(high: 1, low: name), uri: "\(name)")
    }

    private static func slot(_ number: Int64) -> MediaSequenceNumber { MediaSequenceNumber(number) }

    private static func timeline(_ slotsPerPeriod: Int64?) -> KeyTimeline {
        KeyTimeline(periods: CryptoPeriods(slotsPerPeriod: slotsPerPeriod))
    }

    @Test func keysAreAskedForTwoPeriodsAhead() {
        var timeline = Self.timeline(10)
        let all = KeyClasses().all
        let first = [6, 5, 4].map { Request(period: CryptoPeriod($0), classes: all) }
        #expect(timeline.requests(for: Self.slot(45), at: .zero) == first)
        for number in 46..<50 as Range<Int64> {
            #expect(timeline.requests(for: Self.slot(number), at: .zero) == [])
        }
        #expect(timeline.requests(for: Self.slot(50), at: .zero) == [Request(period: CryptoPeriod(7), classes: all)])
    }

    @Test func keysThatNeverChangeAreAskedForOnce() {
        var timeline = Self.timeline(nil)
        let request = Request(period: CryptoPeriod(0), classes: KeyClasses().all)
        #expect(timeline.requests(for: Self.slot(1 << 40), at: .zero) == [request])
        #expect(timeline.requests(for: Self.slot(-5), at: .zero) == [])
        #expect(timeline.arrived([Self.reference(7)], of: .video, in: CryptoPeriod(0)) == true)
        timeline.forget(before: Self.slot(1 << 41))
        #expect(timeline.keys(of: .video, in: CryptoPeriod(0)) == [Self.reference(7)])
    }

    @Test func eachClassHasAStateOfItsOwn() {
        var timeline = Self.timeline(10)
        let period = CryptoPeriod(4)
        let asked = MediaTime(seconds: 9)
        #expect(timeline.state(of: .video, in: period) == nil)
        _ = timeline.requests(for: Self.slot(40), at: asked)
        #expect(timeline.state(of: .video, in: period) == .pending(since: asked, lastFailure: nil))
        #expect(timeline.arrived([Self.reference(1)], of: .video, in: period) == true)
        #expect(timeline.failed("no licence", of: .audio, in: period) == true)
        #expect(timeline.state(of: .video, in: period) == .known([Self.reference(1)]))
        #expect(timeline.state(of: .audio, in: period) == .failed(reason: "no licence", since: asked))
    }

    @Test func whatFailedIsAskedForAgainAndMayStillArrive() {
        var timeline = Self.timeline(10)
        let period = CryptoPeriod(4)
        let asked = MediaTime(seconds: 9)
        _ = timeline.requests(for: Self.slot(40), at: asked)
        #expect(timeline.failed("no licence", of: .audio, in: period) == true)
        #expect(timeline.requests(for: Self.slot(40), at: asked) == [])
        let again = timeline.requests(for: Self.slot(41), at: MediaTime(seconds: 13))
        #expect(again == [Request(period: period, classes: [.audio])])
        // It has been waited for since it was asked for first, and the reason is known.
        #expect(timeline.state(of: .audio, in: period) == .pending(since: asked, lastFailure: "no licence"))
        #expect(timeline.failed("no licence", of: .audio, in: period) == true)
        #expect(timeline.arrived([Self.reference(1)], of: .audio, in: period) == true)
        #expect(timeline.keys(of: .audio, in: period) == [Self.reference(1)])
    }

    @Test func whatIsKnownStaysAsItIs() {
        var timeline = Self.timeline(10)
        let period = CryptoPeriod(4)
        _ = timeline.requests(for: Self.slot(40), at: .zero)
        #expect(timeline.arrived([Self.reference(1)], of: .video, in: period) == true)
        #expect(timeline.arrived([Self.reference(2)], of: .video, in: period) == false)
        #expect(timeline.failed("it was withdrawn", of: .video, in: period) == false)
        #expect(timeline.keys(of: .video, in: period) == [Self.reference(1)])
    }

    @Test func whatNobodyHasAskedForIsNotKept() {
        var timeline = Self.timeline(10)
        #expect(timeline.arrived([Self.reference(1)], of: .video, in: CryptoPeriod(4)) == false)
        #expect(timeline.failed("no licence", of: .video, in: CryptoPeriod(4)) == false)
        #expect(timeline.state(of: .video, in: CryptoPeriod(4)) == nil)
    }

    @Test func whatIsPastIsForgottenButNotTheKeyInForce() {
        var timeline = Self.timeline(10)
        _ = timeline.requests(for: Self.slot(40), at: .zero)
        let periods = (4...6).map { CryptoPeriod($0) }
        for period in periods { #expect(timeline.arrived([Self.reference(1)], of: .video, in: period) == true) }
        timeline.use([Self.reference(1)], of: .video, in: periods[0])
        timeline.forget(before: Self.slot(59))
        #expect(periods.map { timeline.state(of: .video, in: $0) != nil } == [false, true, true])
        #expect(timeline.keysInForce[.video]?.period == periods[0])
        #expect(timeline.arrived([Self.reference(1)], of: .audio, in: periods[0]) == false)
    }

    @Test func aLeapAsksForWhatIsThereAndForgetsWhatWasBetween() {
        var timeline = Self.timeline(10)
        _ = timeline.requests(for: Self.slot(40), at: .zero)
        let asked = timeline.requests(for: Self.slot(9_000), at: .zero)
        #expect(asked.map(\.period.index) == [902, 901, 900])
        timeline.forget(before: Self.slot(9_000))
        #expect(timeline.state(of: .video, in: CryptoPeriod(5)) == nil)
        #expect(timeline.state(of: .video, in: CryptoPeriod(900)) != nil)
    }
}
