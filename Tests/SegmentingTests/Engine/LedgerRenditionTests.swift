import MediaCore
import Playlists
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// The renditions that a slot is listed with: those that leave, and those that cannot be written.
@Suite struct LedgerRenditionTests: LedgerSuite {
    /// Then it would remain a gap.
    @Test func aRenditionLeavesWithTheLastOfItsMedia() {
        var ledger = Self.ledger()
        ledger.declare(Self.describe("video", "audio"))
        _ = ledger.complete([Self.decision(0), Self.decision(1)])
        var leaves: [Bool] = []
        for slot in 2...7 as ClosedRange<Int64> {
            #expect(ledger.complete([Self.decision(slot, Self.pictures, nil)])[0].renditions.count == 2)
            leaves.append(ledger.leave("audio"))
        }
        #expect(leaves == [false, false, false, false, false, true])
        let isNews = ledger.leave("audio")
        #expect(!isNews)
        // What was decided before with gaps of it goes without.
        let next = ledger.complete([Self.decision(8, Self.pictures, nil)])[0]
        #expect(next.renditions.map(\.id) == ["video"] && next.segments.map(\.id) == ["video"])
        // There may be media of it again by then.
        let last = ledger.complete([Self.decision(9)])[0]
        #expect(last.renditions.map(\.id) == ["video", "audio"] && last.segments.map(\.id) == ["video", "audio"])
    }

    @Test func nothingLeavesWhileNothingHasMedia() {
        var ledger = Self.ledger()
        _ = ledger.complete([Self.decision(0)] + (1...20).map { Self.decision($0, nil, nil) })
        let leavesInALoss = ledger.leave("audio")
        #expect(!leavesInALoss)
        // What begins a moment later than the others is not lost.
        _ = ledger.complete((21...25).map { Self.decision($0, Self.pictures, nil) })
        let leavesAtOnce = ledger.leave("audio")
        #expect(!leavesAtOnce)
        _ = ledger.complete([Self.decision(26, Self.pictures, nil)])
        let leaves = ledger.leave("audio")
        #expect(leaves)
    }

    /// A slate is no media of the feed.
    @Test func aRenditionOfFillersLeaves() {
        var ledger = Self.ledger()
        _ = ledger.complete([Self.decision(0)])
        let slots = (Int64(1)...6).map { slot in
            var decision = Self.decision(slot)
            decision.segments[1].contents.cut.filler = .slate
            return decision
        }
        _ = ledger.complete(slots)
        let leaves = ledger.leave("audio")
        #expect(leaves)
    }

    @Test func aSegmentThatCouldNotBeWrittenIsNoMedia() {
        var ledger = Self.ledger()
        _ = ledger.complete([Self.decision(0)])
        for slot in 1...6 as ClosedRange<Int64> {
            _ = ledger.complete([Self.decision(slot)])
            let isLeftOut = ledger.notWritten("audio", in: Epoch.slot.advanced(by: slot), .gap)
            #expect(!isLeftOut)
        }
        let leaves = ledger.leave("audio")
        #expect(leaves)
    }

    @Test func aRestartKnowsWhatWasListed() {
        for (content, expected) in [(SlotOutline.Content.gap, true), (.media, false)] {
            var window = PublishedWindow(
                newest: Epoch.slot.advanced(by: 5),
                renditions: Self.describe("video", "audio"),
                edges: [:],
                expires: nil
            )
            window.first = Epoch.slot
            window.slots = (0..<6).map { slot in
                SlotOutline(
                    number: Epoch.slot.advanced(by: slot),
                    duration: MediaTime(seconds: 4),
                    segments: [.init("video", .media), .init("audio", content)]
                )
            }
            var ledger = Self.ledger()
            ledger.restore(window)
            let leaves = ledger.leave("audio")
            #expect(leaves == expected)
            window.isListed = false
            ledger = Self.ledger()
            ledger.restore(window)
            let leavesUnlisted = ledger.leave("audio")
            #expect(!leavesUnlisted)
        }
    }

    // MARK: Segments that cannot be written

    /// It keeps the others from nothing.
    @Test func aRenditionIsLeftOutUntilItCanBeWritten() {
        var ledger = Self.ledger()
        ledger.declare(Self.describe("video", "audio"))
        var fallbacks: [Decision.Fallback] = []
        var news: [Bool] = []
        for slot in 0..<3 as Range<Int64> {
            let decision = ledger.complete([Self.decision(slot)])[0]
            #expect(decision.renditions.count == 2, "it is tried")
            fallbacks.append(decision.segments[1].fallback)
            news.append(ledger.notWritten("audio", in: decision.number, decision.segments[1].fallback))
        }
        #expect(fallbacks == [.nothing, .nothing, .nothing] && news == [true, false, false])
        // It does not begin with a gap.
        let gap = ledger.complete([Self.decision(3, Self.pictures, nil)])[0]
        #expect(gap.renditions.map(\.id) == ["video"] && gap.segments.map(\.id) == ["video"])
        #expect(ledger.complete([Self.decision(4)])[0].segments.map(\.fallback) == [.gap, .nothing])
        // Nobody has said that it could not be written.
        #expect(ledger.complete([Self.decision(5)])[0].segments.map(\.fallback) == [.gap, .gap])
        #expect(ledger.window.slots.map { $0["audio"] } == [nil, nil, nil, nil, .media, .media])
    }

    /// Until no listed slot has media of it any more.
    @Test func aSegmentOfARenditionThatIsListedIsAGap() {
        var ledger = Self.ledger()
        var fallbacks: [Decision.Fallback] = []
        var news: [Bool] = []
        _ = ledger.complete([Self.decision(0)])
        for slot in 1...8 as ClosedRange<Int64> {
            let decision = ledger.complete([Self.decision(slot)])[0]
            fallbacks.append(decision.segments[1].fallback)
            news.append(ledger.notWritten("audio", in: decision.number, decision.segments[1].fallback))
        }
        #expect(fallbacks == Array(repeating: .gap, count: 6) + [.nothing, .nothing])
        #expect(news == Array(repeating: false, count: 6) + [true, false])
        #expect(ledger.window.slots.map { $0["audio"] } == [.gap, .gap, .gap, .gap, nil, nil])
    }
}
