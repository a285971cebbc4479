import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// Decisions on slots that depend on the slots published before them.
@Suite struct PublicationLedgerTests: LedgerSuite {
    @Test func aRenditionThatIsAwayHoldsTheStartUpForThreeSlots() {
        var ledger = Self.ledger()
        // A slot of nothing at all says nothing of either.
        let slots = [Self.decision(0, nil, nil)] + (1...4).map { Self.decision($0, Self.pictures, nil) }
        #expect(ledger.complete(slots).map(\.waitsForAll) == [true, true, true, true, false])
        #expect(ledger.first == Epoch.slot.advanced(by: 4))
        #expect(ledger.complete([Self.decision(5)]).map(\.waitsForAll) == [false])
        #expect(ledger.first == Epoch.slot.advanced(by: 4))
    }

    /// The failed write shows after the decision.
    @Test func aSlotThatIsNotListedIsNotTheFirst() {
        var ledger = Self.ledger()
        #expect(ledger.complete([Self.decision(0)])[0].waitsForAll)
        ledger.passedOver(Epoch.slot)
        #expect(ledger.first == nil)
        #expect(ledger.complete([Self.decision(1)])[0].waitsForAll)
        ledger.passedOver(Epoch.slot)
        #expect(ledger.first == Epoch.slot.advanced(by: 1))
    }

    @Test func aDiscontinuityIsWhereWhatItIsDecodedWithChanges() {
        var ledger = Self.ledger()
        var high = SyntheticTracks.video
        high.level = 31
        let slots = [
            Self.decision(0), Self.decision(1), Self.decision(2, nil), Self.decision(3), Self.decision(4, .avc(high)),
            Self.decision(5, .avc(high)), Self.decision(6),
        ]
        #expect(
            ledger.complete(slots).map(\.startsDiscontinuity) == [false, false, false, false, true, false, true]
        )
    }

    /// Another member of the pair may have the key, and write it.
    @Test func whatHasNoKeyCountsAsWell() {
        var ledger = Self.ledger(isSampleEncrypted: true)
        var high = SyntheticTracks.video
        high.level = 31
        let slots = [
            Self.decision(0), Self.decision(1, .avc(high), protection: .missing), Self.decision(2, .avc(high)),
        ]
        #expect(ledger.complete(slots).map(\.startsDiscontinuity) == [false, true, false])
    }

    @Test func aRestartComparesWithWhatWasThere() throws {
        var first = Self.ledger()
        let known = first.complete([Self.decision(0)])[0].segments
        var high = SyntheticTracks.video
        high.level = 31
        for (pictures, isListed, expected) in [
            (Self.pictures, true, false), (.avc(high), true, true), (.avc(high), false, false),
        ] {
            var window = PublishedWindow(newest: Epoch.slot, renditions: [], edges: [:], expires: nil)
            (window.first, window.isListed) = (Epoch.slot, isListed)
            for segment in known {
                var edge = PublishedWindow.Edge(start: Epoch.time, end: 0, timescale: 1, isGap: false)
                edge.fingerprint = segment.fingerprint
                window.edges[segment.id] = edge
            }
            var ledger = Self.ledger()
            ledger.restore(window)
            let next = ledger.complete([Self.decision(1, pictures)])[0]
            #expect(next.startsDiscontinuity == expected && !next.waitsForAll)
            #expect(ledger.first == Epoch.slot)
        }
    }

    @Test func aRenditionThatLeavesBeginsAnew() {
        var ledger = Self.ledger()
        var high = SyntheticTracks.video
        high.level = 31
        _ = ledger.complete([Self.decision(0)] + (1...6).map { Self.decision($0, nil) })
        let leaves = ledger.leave("video")
        #expect(leaves)
        #expect(!ledger.complete([Self.decision(7, .avc(high))])[0].startsDiscontinuity)
    }

    /// Its end is a discontinuity where samples are encrypted; what the keys ask of screens holds from the start.
    @Test(arguments: [true, false]) func theClearLeadEndsForAllRenditionsAtOnce(isSampleEncrypted: Bool) {
        var ledger = Self.ledger(clearLead: 2, isSampleEncrypted: isSampleEncrypted)
        let protection = SegmentProtection.keys([])
        let slots = ledger.complete((0..<4).map { Self.decision($0, protection: protection) })
        for slot in slots {
            let isClear = slot.number < Epoch.slot.advanced(by: 2)
            #expect(slot.segments.allSatisfy { $0.contents.protection == (isClear ? .clearLead : protection) })
            #expect(slot.announcement?.terms.count == 2)
        }
        #expect(slots.map(\.startsDiscontinuity) == [false, false, isSampleEncrypted, false])
    }

    /// The hints are those of the wanted key system, for renditions with keys, and are new once.
    @Test func theNextKeysAreAnnouncedOnce() throws {
        var ledger = Self.ledger()
        var slotKeys = SlotKeys(nextKeysStart: Epoch.at(8_000))
        slotKeys.nextKeys = [.audio: [.made(for: .audio, CryptoPeriod(3))]]
        let announcement = ledger.announce(slotKeys, at: Epoch.slot, of: ["video": .video, "audio": .audio])
        #expect(announcement.hints == ["audio": .made(for: .audio, CryptoPeriod(3))])
        #expect(announcement.sessionKeys == nil && announcement.terms.isEmpty)
        #expect(ledger.news(of: announcement) == Epoch.at(8_000))
        #expect(ledger.news(of: announcement) == nil)
        #expect(ledger.news(of: ledger.announce(SlotKeys(), at: Epoch.slot, of: [:])) == nil)
    }

    /// A gap needs no key, and its rendition asks for what it did before.
    @Test func whatKeysAskOfScreensHoldsUntilTheRenditionLeaves() {
        var ledger = Self.ledger()
        let keys = SegmentProtection.keys([.made(for: .video, CryptoPeriod(3))])
        _ = ledger.complete([Self.decision(0, protection: keys)])
        let slots = ledger.complete((1...6).map { Self.decision($0, nil, protection: keys) })
        for slot in slots { #expect(slot.announcement?.terms.keys.map(\.name).sorted() == ["audio", "video"]) }
        let leaves = ledger.leave("video")
        #expect(leaves)
        #expect(ledger.complete([Self.decision(7, nil, protection: keys)])[0].announcement?.terms.count == 1)
    }

    @Test func theEarlierMemberOfAPairSetsTheClearLead() {
        var ledger = Self.ledger(clearLead: 3)
        let protection = SegmentProtection.keys([])
        _ = ledger.complete([Self.decision(1, protection: protection)])
        ledger.peerBegan(Epoch.slot)
        ledger.peerBegan(Epoch.slot.advanced(by: 2))
        #expect(ledger.first == Epoch.slot)
        let slots = ledger.complete([2, 3].map { Self.decision($0, protection: protection) })
        #expect(slots.map(\.segments[0].contents.protection) == [.clearLead, protection])
    }

    /// Journals and peers of other versions have these.
    @Test func textsStayAsTheyAre() {
        var fingerprints = SegmentFingerprints()
        func text(
            _ form: SegmentForm,
            _ configuration: CodecConfiguration?,
            timescale: Int64 = 90_000,
            audio: CodecConfiguration? = nil,
            _ protection: SegmentProtection = .clear
        ) -> String? {
            var segment = Self.segment("r", form, Self.cut(0, configuration, timescale: timescale), protection)
            segment.contents.audioConfiguration = audio
            return fingerprints.fingerprint(of: segment, isSampleEncrypted: true)
        }
        let transport = SegmentForm(kind: .video, format: .transportStream, container: .ts, carriesAudio: true)
        let packed = SegmentForm(kind: .audio, format: .aac, container: .ts)
        #expect(text(Self.video, Self.pictures) == "d7dcffca7971a9f8")
        #expect(text(Self.video, Self.pictures, .clearLead) == "clear-d7dcffca7971a9f8")
        #expect(text(Self.audio, Self.sound, timescale: 48_000) == "9a924ee736a969a9")
        #expect(text(transport, Self.pictures, audio: Self.sound) == "d7dcffca7971a9f8-5356aae3bf062f74")
        #expect(text(packed, Self.sound, timescale: 48_000) == "5356aae3bf062f74")
        #expect(text(Self.video, nil) == nil)
        var words = Self.cut(0, nil)
        words.cues = []
        let subtitles = SegmentForm(kind: .text(.webVTT), format: .webVTT)
        #expect(
            fingerprints.fingerprint(of: Self.segment("t", subtitles, words), isSampleEncrypted: true) == "webvtt"
        )
    }
}
