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
}
