import MediaCore
import TestSupport
import Testing

@testable import Timeline

@Suite struct SourceSelectorTests {
    private typealias Offer = SourceSelector.Offer

    /// Slots of 2 s, a fail-back after three whole ones.
    private static func selector() -> SourceSelector {
        SourceSelector(failback: MediaTime(seconds: 5), slotDuration: MediaTime(seconds: 2))
    }

    private static func partial(_ milliseconds: Int64) -> Offer { .partial(MediaTime(milliseconds: milliseconds)) }

    /// Chooses from final offers and puts them on record, as a segmenter does.
    private static func run(_ selector: inout SourceSelector, _ slots: [[Offer]]) -> [SourceSelector.Choice] {
        slots.map { offers in
            for (source, offer) in offers.enumerated() { selector.observe(offer, of: source) }
            return selector.choose(from: offers)
        }
    }

    @Test func wholeBeatsPartialAndPreferredBeatsStandby() {
        var selector = Self.selector()
        #expect(selector.choose(from: [.whole, .whole]) == .source(0))
        #expect(selector.choose(from: [.partial(MediaTime(seconds: 1)), .whole]) == .source(1))
        var other = Self.selector()
        #expect(other.choose(from: [Self.partial(500), Self.partial(1_500)]) == .source(1))
        var equal = Self.selector()
        #expect(equal.choose(from: [Self.partial(500), Self.partial(500)]) == .source(0))
        #expect(equal.choose(from: [.nothing, .nothing]) == .none)
        #expect(equal.choose(from: []) == .none)
    }

    @Test func whatMayStillComeIsWaitedForUnlessItHasStalledAndAnotherIsWhole() {
        var selector = Self.selector()
        #expect(selector.choose(from: [.pending, .whole]) == .wait)
        #expect(selector.choose(from: [Self.partial(1_900), .pending]) == .wait)
        #expect(selector.choose(from: [.stalled, .nothing]) == .wait)
        #expect(selector.choose(from: [.stalled, .pending]) == .wait)
        #expect(selector.active == 0)
        #expect(selector.choose(from: [.stalled, .whole]) == .source(1))
        #expect(selector.active == 1)
    }

    @Test func aBetterSourceTakesBackOnceItHasBeenWholeForAWhile() {
        var selector = Self.selector()
        let choices = Self.run(
            &selector,
            [
                [.whole, .whole], [.nothing, .whole], [.whole, .whole], [.whole, .whole], [Self.partial(1), .whole],
                [.whole, .whole], [.whole, .whole], [.whole, .whole], [.whole, .whole],
            ]
        )
        #expect(choices == [0, 1, 1, 1, 1, 1, 1, 0, 0].map { .source($0) })
    }

    @Test func aHeldSourceLosesOnlyWhatItHasNothingFor() {
        var selector = Self.selector()
        selector.held = 1
        #expect(selector.choose(from: [.whole, Self.partial(40)]) == .source(1))
        #expect(selector.choose(from: [.whole, .pending]) == .wait)
        #expect(selector.choose(from: [.whole, .nothing]) == .source(0))
        #expect(selector.choose(from: [.whole, .whole]) == .source(1))
        selector.held = nil
        #expect(selector.choose(from: [.whole, .whole]) == .source(1))
    }

    @Test func aSelectedSourceStaysUntilABetterOneHasProvedItself() {
        var selector = Self.selector()
        _ = Self.run(&selector, Array(repeating: [.whole, .whole], count: 10))
        selector.select(1)
        let choices = Self.run(&selector, Array(repeating: [.whole, .whole], count: 4))
        #expect(choices == [1, 1, 0, 0].map { .source($0) })
    }

    /// However the sources flap: a standby gives way only to one that has been whole for as long as was asked for, or
    /// where it is not whole itself.
    @Test func aStandbyThatIsWholeGivesWayOnlyToOneThatHasProvedItself() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<50 {
            var selector = Self.selector()
            var runs = [0, 0, 0]
            var active = 0
            for _ in 0..<200 {
                // Mostly whole, so that sources prove themselves now and then.
                let offers: [Offer] = (0..<3).map { _ in
                    Int.random(in: 0..<5, using: &generator) > 0 ? .whole : .nothing
                }
                for (source, offer) in offers.enumerated() { runs[source] = offer == .whole ? runs[source] + 1 : 0 }
                guard case .source(let source) = Self.run(&selector, [offers])[0] else { continue }
                if source < active, offers[active] == .whole { #expect(runs[source] >= 3) }
                active = source
            }
        }
    }

    /// The choice is one that has media whenever any has.
    @Test func wildOffersNeverLoseMedia() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            var selector = Self.selector()
            for _ in 0..<200 {
                let offers: [Offer] = (0..<3).map { _ in
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: .nothing
                    case 1: Self.partial(Int64.random(in: 1..<2_000, using: &generator))
                    default: .whole
                    }
                }
                guard case .source(let source) = Self.run(&selector, [offers])[0] else {
                    #expect(offers.allSatisfy { $0 == .nothing })
                    continue
                }
                #expect(offers[source] != .nothing)
                #expect(offers[source] == .whole || !offers.contains(.whole))
            }
        }
    }
}
