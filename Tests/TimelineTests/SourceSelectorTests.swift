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

    /// A slot for tests in which its number does not matter.
    private static let slot = MediaSequenceNumber(100)

    private static func partial(_ milliseconds: Int64) -> Offer { .partial(MediaTime(milliseconds: milliseconds)) }

    /// Chooses from final offers for slots in a row and records the choices, as a segmenter does.
    private static func run(
        _ selector: inout SourceSelector,
        from first: Int64 = 0,
        _ slots: [[Offer]]
    ) -> [SourceSelector.Choice] {
        zip(first..., slots).map { number, offers in
            let number = MediaSequenceNumber(number)
            for (source, offer) in offers.enumerated() { selector.observe(offer, of: SourceRank(source), for: number) }
            return selector.choose(from: offers, for: number)
        }
    }

    @Test func wholeBeatsPartialAndPreferredBeatsStandby() {
        var selector = Self.selector()
        #expect(selector.choose(from: [.whole, .whole], for: Self.slot) == .source(0))
        #expect(selector.choose(from: [.partial(MediaTime(seconds: 1)), .whole], for: Self.slot) == .source(1))
        var other = Self.selector()
        #expect(other.choose(from: [Self.partial(500), Self.partial(1_500)], for: Self.slot) == .source(1))
        var equal = Self.selector()
        #expect(equal.choose(from: [Self.partial(500), Self.partial(500)], for: Self.slot) == .source(0))
        #expect(equal.choose(from: [.nothing, .nothing], for: Self.slot) == .none)
        #expect(equal.choose(from: [], for: Self.slot) == .none)
    }

    @Test func whatMayStillComeIsWaitedForUnlessItHasStalledAndAnotherIsWhole() {
        var selector = Self.selector()
        #expect(selector.choose(from: [.pending, .whole], for: Self.slot) == .wait)
        #expect(selector.choose(from: [Self.partial(1_900), .pending], for: Self.slot) == .wait)
        #expect(selector.choose(from: [.stalled, .nothing], for: Self.slot) == .wait)
        #expect(selector.choose(from: [.stalled, .pending], for: Self.slot) == .wait)
        #expect(selector.active == 0)
        #expect(selector.choose(from: [.stalled, .whole], for: Self.slot) == .source(1))
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
        #expect(selector.choose(from: [.whole, Self.partial(40)], for: Self.slot) == .source(1))
        #expect(selector.choose(from: [.whole, .pending], for: Self.slot) == .wait)
        #expect(selector.choose(from: [.whole, .nothing], for: Self.slot) == .source(0))
        #expect(selector.choose(from: [.whole, .whole], for: Self.slot) == .source(1))
        selector.held = nil
        #expect(selector.choose(from: [.whole, .whole], for: Self.slot) == .source(1))
    }

    @Test func aSelectedSourceStaysUntilABetterOneHasProvedItself() {
        var selector = Self.selector()
        _ = Self.run(&selector, Array(repeating: [.whole, .whole], count: 10))
        selector.select(1)
        let choices = Self.run(&selector, from: 10, Array(repeating: [.whole, .whole], count: 4))
        #expect(choices == [1, 1, 0, 0].map { .source($0) })
    }

    /// The order in which sources are heard is chance, and a proof must not depend on it.
    @Test(arguments: [false, true])
    func itDoesNotMatterWhichSourceIsHeardFirst(isPrimaryFirst: Bool) {
        var selector = Self.selector()
        selector.select(1)
        var choices: [SourceSelector.Choice] = []
        for number in (0..<5 as Range<Int64>).map(MediaSequenceNumber.init) {
            selector.observe(.whole, of: isPrimaryFirst ? 0 : 1, for: number)
            var choice = selector.choose(from: isPrimaryFirst ? [.whole, .pending] : [.pending, .whole], for: number)
            selector.observe(.whole, of: isPrimaryFirst ? 1 : 0, for: number)
            if choice == .wait { choice = selector.choose(from: [.whole, .whole], for: number) }
            choices.append(choice)
        }
        #expect(choices == [1, 1, 0, 0, 0].map { .source($0) })
    }

    // MARK: Selection of another packager

    /// It takes over at once, or a little behind or ahead of the other.
    @Test(arguments: 0..<5)
    func whoeverTakesASelectionOverChoosesAlike(delay: Int) throws {
        let offers =
            [[.whole, .whole], [.nothing, .whole]] + Array(repeating: [.whole, .whole] as [Offer], count: 8)
        for restart in 2..<5 {
            var one = Self.selector()
            var two = Self.selector()
            var choices: [[SourceSelector.Choice]] = [[], []]
            var known: SourceSelection?
            for (number, offers) in offers.enumerated() {
                choices[0] += Self.run(&one, from: Int64(number), [offers])
                if number == restart { known = one.selection }
                if number > restart { choices[1] += Self.run(&two, from: Int64(number), [offers]) }
                if number == restart + delay {
                    two.restore(try #require(known))
                    choices[1].removeAll()
                }
            }
            #expect(!choices[1].isEmpty || restart + delay == offers.count - 1)
            #expect(choices[1] == choices[0].suffix(choices[1].count), "restarted after \(restart)")
        }
    }

    @Test func whatBrokeOffMeanwhileProvesItselfAnew() {
        var selector = Self.selector()
        _ = Self.run(&selector, from: 10, [[.whole, .whole], [.nothing, .whole], [.whole, .whole]])
        let run = MediaSequenceNumber(3)...MediaSequenceNumber(9)
        selector.restore(SourceSelection(active: 1, wholeRuns: [run, run]))
        #expect(selector.selection.wholeRuns[0] == MediaSequenceNumber(12)...MediaSequenceNumber(12))
        #expect(selector.selection.wholeRuns[1] == MediaSequenceNumber(3)...MediaSequenceNumber(12))
        #expect(Self.run(&selector, from: 13, [[.whole, .whole], [.whole, .whole]]) == [.source(1), .source(0)])
    }

    /// However the sources flap: a standby gives way only to one that has been whole for as long as was asked for, or
    /// where it is not whole itself.
    @Test func aStandbyThatIsWholeGivesWayOnlyToOneThatHasProvedItself() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<50 {
            var selector = Self.selector()
            var runs = [0, 0, 0]
            var active = SourceRank.primary
            for number in 0..<200 as Range<Int64> {
                // Mostly whole, so that sources prove themselves now and then.
                let offers: [Offer] = (0..<3).map { _ in
                    Int.random(in: 0..<5, using: &generator) > 0 ? .whole : .nothing
                }
                for (source, offer) in offers.enumerated() { runs[source] = offer == .whole ? runs[source] + 1 : 0 }
                guard case .source(let source) = Self.run(&selector, from: number, [offers])[0] else { continue }
                if source < active, offers[active.value] == .whole { #expect(runs[source.value] >= 3) }
                active = source
            }
        }
    }

    /// The choice is one that has media whenever any has.
    @Test func wildOffersNeverLoseMedia() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            var selector = Self.selector()
            for number in 0..<200 as Range<Int64> {
                let offers: [Offer] = (0..<3).map { _ in
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: .nothing
                    case 1: Self.partial(Int64.random(in: 1..<2_000, using: &generator))
                    default: .whole
                    }
                }
                guard case .source(let source) = Self.run(&selector, from: number, [offers])[0] else {
                    #expect(offers.allSatisfy { $0 == .nothing })
                    continue
                }
                #expect(offers[source.value] != .nothing)
                #expect(offers[source.value] == .whole || !offers.contains(.whole))
            }
        }
    }
}
