import MediaCore
import Playlists
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// Parts say what their slot says, before it is over.
@Suite struct LedgerPartTests: LedgerSuite {
    /// Parts are told before their slot.
    @Test func partsSayWhatTheirSlotSays() {
        var ledger = Self.ledger(clearLead: 2, isSampleEncrypted: true)
        ledger.declare(Self.describe("video", "audio"))
        let keys = SegmentProtection.keys([])
        for slot in 0..<4 as Range<Int64> {
            let parts = ledger.complete([
                Self.part(0, of: slot, "audio", Self.sound, keys), Self.part(0, of: slot, "video", Self.pictures, keys),
                Self.part(1, of: slot, "video", Self.pictures, keys),
            ])
            let decision = ledger.complete([Self.decision(slot, protection: keys)])[0]
            #expect(decision.startsDiscontinuity == (slot == 2))
            #expect(parts.map(\.startsDiscontinuity) == [slot == 2, slot == 2, false])
            let protection = slot < 2 ? SegmentProtection.clearLead : keys
            #expect(parts.allSatisfy { $0.contents.protection == protection })
            #expect(decision.segments.allSatisfy { $0.contents.protection == protection })
            #expect(parts.map(\.fingerprint) == [1, 0, 0].map { decision.segments[$0].fingerprint })
            #expect(parts.allSatisfy { $0.renditions == decision.renditions })
        }
    }

    /// A peer that began earlier, or a first slot that was not listed, is heard of at any moment.
    @Test func aSlotIsProtectedAsItsFirstPart() {
        var ledger = Self.ledger(clearLead: 2, isSampleEncrypted: true)
        ledger.declare(Self.describe("video", "audio"))
        let keys = SegmentProtection.keys([])
        _ = ledger.complete([Self.decision(0, protection: keys)])
        let before = ledger.complete([Self.part(0, of: 1, "video", Self.pictures, keys)])
        ledger.peerBegan(Epoch.slot.advanced(by: -1))
        let after = ledger.complete([Self.part(1, of: 1, "video", Self.pictures, keys)])
        let slot = ledger.complete([Self.decision(1, protection: keys)])[0]
        #expect((before + after).allSatisfy { $0.contents.protection == .clearLead })
        #expect(slot.segments.allSatisfy { $0.contents.protection == .clearLead })
        let next = ledger.complete([Self.decision(2, protection: keys)])[0]
        #expect(next.segments.allSatisfy { $0.contents.protection == keys })
        // What needs no key, or lacks it, stays as it is.
        var ledgers = (missing: Self.ledger(clearLead: 2), clear: Self.ledger(clearLead: 2))
        let missing = ledgers.missing.complete([Self.decision(0, protection: .missing)])[0]
        #expect(missing.segments.allSatisfy { $0.contents.protection == .missing })
        let clear = ledgers.clear.complete([Self.decision(0)])[0]
        #expect(clear.segments.allSatisfy { $0.contents.protection == .clear })
    }

    /// All renditions begin the slot alike.
    @Test func aPartThatIsDecodedOtherwiseIsADiscontinuityForAll() {
        var ledger = Self.ledger()
        var high = SyntheticTracks.video
        high.level = 31
        _ = ledger.complete([Self.decision(0)])
        let parts = ledger.complete([
            Self.part(0, of: 1, "audio", Self.sound), Self.part(0, of: 1, "video", .avc(high)),
        ])
        #expect(parts.map(\.startsDiscontinuity) == [true, true])
        #expect(
            ledger.complete([Self.decision(1, .avc(high)), Self.decision(2, .avc(high))]).map(\.startsDiscontinuity)
                == [true, false]
        )
    }

    /// The first parts of a slot come while an earlier slot still waits for another rendition.
    @Test func aPartSaysNothingOfTheSlotsBeforeIt() {
        var ledger = Self.ledger()
        var high = SyntheticTracks.video
        high.level = 31
        _ = ledger.complete([Self.decision(0)])
        #expect(ledger.complete([Self.part(0, of: 2, "video", .avc(high))]).map(\.startsDiscontinuity) == [true])
        #expect(ledger.complete([Self.decision(1)]).map(\.startsDiscontinuity) == [false])
        #expect(ledger.complete([Self.part(1, of: 2, "video", .avc(high))]).map(\.startsDiscontinuity) == [false])
        let rest = ledger.complete([Self.decision(2, .avc(high)), Self.decision(3, .avc(high)), Self.decision(4)])
        #expect(rest.map(\.startsDiscontinuity) == [true, false, true])
    }

    /// Viewers have begun to decode the parts of a slot that becomes a gap.
    @Test func partsOfAGapCountForTheSlotsAfterIt() {
        var ledger = Self.ledger()
        var high = SyntheticTracks.video
        high.level = 31
        _ = ledger.complete([Self.decision(0)])
        _ = ledger.complete([Self.part(0, of: 1, "video", .avc(high))])
        let slots = ledger.complete([Self.decision(1, nil), Self.decision(2, .avc(high)), Self.decision(3)])
        #expect(slots.map(\.startsDiscontinuity) == [true, false, true])
    }
}
