import ContentProtection
import MediaCore
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// The slots in the clear, and the keys that come next.
@Suite struct EngineClearLeadTests {
    private static func lead(_ slots: Int64, slotsPerPeriod: Int64?) -> ClearLead {
        ClearLead(
            ChannelEngine.Configuration(
                name: "live",
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                clock: .pts,
                cryptoPeriods: CryptoPeriods(slotsPerPeriod: slotsPerPeriod),
                clearLead: slots,
                inputCount: 1,
                isPaced: true
            )
        )
    }

    private static func slot(_ number: Int64) -> MediaSequenceNumber { MediaSequenceNumber(number) }

    @Test func itIsCountedFromTheFirstSlotThatEverWas() {
        let lead = Self.lead(3, slotsPerPeriod: nil)
        #expect(lead.end(at: Self.slot(10), first: nil) == Self.slot(13))
        #expect(lead.end(at: Self.slot(12), first: Self.slot(10)) == Self.slot(13))
        // The peer has begun later than this one.
        #expect(lead.end(at: Self.slot(10), first: Self.slot(11)) == Self.slot(13))
        #expect(Self.lead(0, slotsPerPeriod: nil).end(at: Self.slot(10), first: nil) == nil)
        #expect(lead.covers(Self.slot(12), first: Self.slot(10)))
        #expect(!lead.covers(Self.slot(13), first: Self.slot(10)))
        #expect(!Self.lead(0, slotsPerPeriod: nil).covers(Self.slot(10), first: nil))
    }

    /// Behind it those of the next crypto period; in it the known ones of the period that it ends in.
    @Test func theNextKeysAreThoseThatAreUsedNext() throws {
        var slotKeys = SlotKeys()
        let all = KeyClass.allCases[0]
        slotKeys.keys = [all: [.made(for: all, CryptoPeriod(2))]]
        slotKeys.nextKeys = [all: [.made(for: all, CryptoPeriod(3))]]
        slotKeys.nextKeysStart = MediaTime(seconds: 48)
        let cases: [(lead: Int64, period: Int64?, start: Int64)] = [(0, 3, 48), (2, 2, 40), (5, 3, 52), (9, nil, 68)]
        for (slots, period, start) in cases {
            let next = try #require(
                Self.lead(slots, slotsPerPeriod: 4).nextKeys(slotKeys, at: Self.slot(8), first: Self.slot(8))
            )
            #expect(next.keys[all]?.first?.period.index == period && next.start == MediaTime(seconds: start))
        }
        slotKeys.nextKeysStart = nil
        #expect(Self.lead(0, slotsPerPeriod: nil).nextKeys(slotKeys, at: Self.slot(8), first: Self.slot(8)) == nil)
    }
}
