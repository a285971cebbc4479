import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import SegmentingSupport
import Testing
import Timeline

@testable import Segmenting

/// What is decided of slots by what was published before them.
@Suite struct PublicationLedgerTests {
    private typealias Decision = ChannelEngine.SlotDecision

    private static let video = SegmentForm(kind: .video, format: .fragmentedMP4)
    private static let audio = SegmentForm(kind: .audio, format: .fragmentedMP4, language: "en")
    private static let pictures = CodecConfiguration.avc(SyntheticTracks.video)
    private static let sound = CodecConfiguration.aac(SyntheticTracks.audio)

    /// Playlists of six slots.
    private static let length = WindowLength(duration: MediaTime(seconds: 24), targetDuration: 6)

    private static func ledger(
        clearLead: Int64 = 0,
        isSampleEncrypted: Bool = false,
        length: WindowLength? = length
    ) -> PublicationLedger {
        PublicationLedger(
            ChannelEngine.Configuration(
                name: "live",
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                clock: .pts,
                isSampleEncrypted: isSampleEncrypted,
                clearLead: clearLead,
                hintedKey: .identity,
                inputCount: 1,
                isPaced: true
            ),
            length: length
        )
    }

    private static func describe(_ ids: RenditionID...) -> [RenditionDescription] {
        ids.map { RenditionDescription(id: $0, kind: $0 == "video" ? .video : .audio, codecs: []) }
    }

    private static func cut(
        _ slot: Int64,
        _ configuration: CodecConfiguration?,
        timescale: Int64 = 90_000
    ) -> CutSegment {
        CutSegment(
            number: Epoch.slot.advanced(by: slot),
            start: Boundary(media: Epoch.at(slot * 4_000), utcOffset: .zero),
            end: Boundary(media: Epoch.at(slot * 4_000 + 4_000), utcOffset: .zero),
            timescale: timescale,
            decodeTime: 0,
            duration: 4 * timescale,
            samples: configuration == nil
                ? [] : [FragmentSample(duration: UInt32(4 * timescale), isSync: true, payload: ByteBuffer(bytes: [1]))],
            configuration: configuration
        )
    }

    private static func segment(
        _ id: RenditionID,
        _ form: SegmentForm,
        _ cut: CutSegment,
        _ protection: SegmentProtection = .clear
    ) -> Decision.Segment {
        var contents = SegmentContents(cut)
        contents.protection = protection
        return Decision.Segment(id: id, form: form, contents: contents)
    }

    /// A slot of pictures and sound, each of which may be away.
    private static func decision(
        _ slot: Int64,
        _ pictures: CodecConfiguration? = pictures,
        _ sound: CodecConfiguration? = sound,
        protection: SegmentProtection = .clear
    ) -> Decision {
        var decision = Decision(
            number: Epoch.slot.advanced(by: slot),
            followsLeap: false,
            startsDiscontinuity: false,
            segments: [
                segment("video", video, cut(slot, pictures), protection),
                segment("audio", audio, cut(slot, sound, timescale: 48_000), protection),
            ],
            withdrawn: [],
            keyClasses: [],
            notes: []
        )
        if protection != .clear { decision.keys = KeyOutlook() }
        return decision
    }

    @Test func aRenditionThatIsAwayHoldsTheStartUpForThreeSlots() {
        var ledger = Self.ledger()
        // A slot of nothing at all says nothing of either.
        let slots = [Self.decision(0, nil, nil)] + (1...4).map { Self.decision($0, Self.pictures, nil) }
        #expect(ledger.complete(slots).map(\.waitsForAll) == [true, true, true, true, false])
        #expect(ledger.first == Epoch.slot.advanced(by: 4))
        #expect(ledger.complete([Self.decision(5)]).map(\.waitsForAll) == [false])
        #expect(ledger.first == Epoch.slot.advanced(by: 4))
    }

    /// That it could not be written shows after it was decided.
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

    // MARK: Renditions that no input has

    /// Then it would be a gap for ever.
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

    /// Of the key system that is asked for, for what has keys; it is news once.
    @Test func theNextKeysAreAnnouncedOnce() throws {
        var ledger = Self.ledger()
        var outlook = KeyOutlook(nextKeysStart: Epoch.at(8_000))
        outlook.nextKeys = [.audio: [.made(for: .audio, CryptoPeriod(3))]]
        let announcement = ledger.announce(outlook, at: Epoch.slot, of: ["video": .video, "audio": .audio])
        #expect(announcement.hints == ["audio": .made(for: .audio, CryptoPeriod(3))])
        #expect(announcement.sessionKeys == nil && announcement.terms.isEmpty)
        #expect(ledger.news(of: announcement) == Epoch.at(8_000))
        #expect(ledger.news(of: announcement) == nil)
        #expect(ledger.news(of: ledger.announce(KeyOutlook(), at: Epoch.slot, of: [:])) == nil)
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
