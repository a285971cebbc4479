import MediaCore
import Playlists
import TestSupport
import Testing

@testable import Conformance

@Suite struct LowLatencyRulesTests {
    typealias Change = @Sendable (inout MediaPlaylist) -> Void

    private static let end: Int64 = 450_000_000
    private static let stream = RollingPlaylist()

    private static func milliseconds(_ count: Int64) -> SegmentDuration {
        SegmentDuration(value: count * 1000, timescale: 1_000_000)
    }

    /// A change to the version with a third part, and all that it should be accused of behind the one with two.
    private static let parts: [(change: Change, rules: [PlaylistRule])] = [
        ({ _ in }, []),
        ({ $0.openSegments[0].parts[2].duration = milliseconds(1001) }, [.partAboveTarget]),
        ({ $0.openSegments[0].parts[2].duration = milliseconds(849) }, []),
        ({ $0.add(milliseconds(849)) }, [.partTooShort]),
        ({ $0.add(milliseconds(850)) }, []),
        ({ $0.add(milliseconds(300)) { $0.openSegments[0].parts[2].isIndependent = true } }, []),
        ({ $0.add(milliseconds(300)) { $0.openSegments[0].parts[2].isGap = true } }, []),
        ({ $0.add(milliseconds(300)) { $0.openSegments[0].parts[3].isGap = true } }, []),
        ({ $0.openSegments[0].parts[0].uri = "other.m4s" }, [.partChanged]),
        ({ $0.openSegments[0].parts[1].isGap = true }, [.partChanged]),
        ({ $0.openSegments[0].parts[1].isIndependent = true }, [.partChanged]),
        ({ $0.openSegments[0].parts.removeLast(2) }, [.partChanged]),
        ({ $0.openSegments = [] }, [.partChanged]),
        ({ $0.segments[14].parts = [] }, [.partChanged]),
        ({ $0.segments[13].parts[3].uri = "other.m4s" }, [.partChanged]),
        // The oldest may lose its parts, one after the other.
        ({ $0.segments[11].parts.removeFirst() }, []),
        ({ $0.segments[11].parts = [] }, []),
        ({ $0.segments[9].parts = (0..<4).map { stream.part(end - 6, $0) } }, [.partsTooOld]),
        ({ $0.openSegments.append($0.openSegments[0]) }, [.tagBelowPart]),
        ({ $0.openSegments[0].keys = [EncryptionKey(method: .sampleAES, uri: "k")] }, [.lineChanged]),
        ({ $0.openSegments[0].map = nil }, [.lineChanged]),
        (
            { $0.openSegments[0].programDateTime += MediaTime(milliseconds: 20) },
            [.dateContradictsDuration, .lineChanged]
        ),
    ]

    @Test(arguments: parts.indices)
    func aPartIsAccusedOfTheRuleItBreaks(index: Int) {
        let (change, expected) = Self.parts[index]
        var rules = PlaylistRules()
        #expect(rules.violations(of: Self.stream.lowLatency(end: Self.end, parts: 2)) == [])
        var next = Self.stream.lowLatency(end: Self.end, parts: 3)
        change(&next)
        #expect(rules.violations(of: next).map(\.rule) == expected)
    }

    /// A change to the version in which a segment is over of which three parts were told.
    private static let ends: [(change: Change, rules: [PlaylistRule])] = [
        ({ _ in }, []),
        ({ $0.segments[14].parts[3].duration = milliseconds(500) }, [.partsContradictDuration]),
        ({ $0.segments[14].parts.append(stream.part(end, 4, milliseconds: 900)) }, [.partsContradictDuration]),
        ({ $0.segments[14].parts[2].uri = "other.m4s" }, [.partChanged]),
        ({ $0.segments[14].parts.removeFirst() }, [.partsContradictDuration, .partChanged]),
        ({ $0.segments[14].map = MediaInitialization(uri: "other.mp4") }, [.lineChanged]),
        ({ $0.segments[14].startsDiscontinuity = true }, [.lineChanged]),
        ({ $0.segments[14].isGap = true }, []),
        (
            { $0.segments[14].cue = BreakCue(out: BreakCue.Break(duration: MediaTime(seconds: 30))) },
            []
        ),
    ]

    @Test(arguments: ends.indices)
    func aSegmentThatEndsIsWhatItsPartsWere(index: Int) {
        let (change, expected) = Self.ends[index]
        var rules = PlaylistRules()
        #expect(rules.violations(of: Self.stream.lowLatency(end: Self.end, parts: 3)) == [])
        var next = Self.stream.lowLatency(end: Self.end + 1, parts: 0)
        change(&next)
        #expect(rules.violations(of: next).map(\.rule) == expected)
    }

    private static let heads: [(change: Change, violations: [String])] = [
        (
            { $0.serverControl?.holdBack = MediaTime(milliseconds: 17_500) },
            ["holdBackTooShort: HOLD-BACK is 17.5 s, and should be 18 s at least (RFC 8216bis § 4.4.3.8)"]
        ),
        ({ $0.serverControl?.holdBack = nil }, []),
        (
            { $0.serverControl?.canSkipUntil = MediaTime(seconds: 35) },
            ["skipBoundaryTooShort: CAN-SKIP-UNTIL is 35 s, and should be 36 s at least (RFC 8216bis § 4.4.3.8)"]
        ),
        (
            { $0.serverControl?.partHoldBack = MediaTime(milliseconds: 1900) },
            ["partHoldBackTooShort: PART-HOLD-BACK is 1.9 s, and should be 2 s at least (RFC 8216bis § 4.4.3.8)"]
        ),
        (
            { $0.serverControl?.partHoldBack = MediaTime(milliseconds: 2900) },
            [
                "partHoldBackNotAdvised: PART-HOLD-BACK is 2.9 s, and should be 3 s at least (RFC 8216bis § 4.4.3.8, "
                    + "a recommendation; Apple's authoring specification § 14.3, a requirement)"
            ]
        ),
        (
            { $0.serverControl?.partHoldBack = nil },
            ["partHoldBackTooShort: PART-HOLD-BACK is missing (RFC 8216bis § 4.4.3.8)"]
        ),
        ({ $0.serverControl = nil }, ["partHoldBackTooShort: PART-HOLD-BACK is missing (RFC 8216bis § 4.4.3.8)"]),
        (
            { $0.hints = [MediaPlaylist.PreloadHint(kind: .map, uri: "init.mp4")] },
            ["hintMissing: EXT-X-PRELOAD-HINT of TYPE=PART is missing (RFC 8216bis § B.1)"]
        ),
        ({ $0.isEnded = true }, ["hintAfterEnd: EXT-X-PRELOAD-HINT with EXT-X-ENDLIST (RFC 8216bis § 4.4.5.3)"]),
        (
            { $0.reports = [report("../a.m3u8"), report("https://a/b.m3u8"), report("//a/b.m3u8")] },
            [
                "reportNotRelative: https://a/b.m3u8 is absolute (RFC 8216bis § 4.4.5.4)",
                "reportNotRelative: //a/b.m3u8 is absolute (RFC 8216bis § 4.4.5.4)",
            ]
        ),
    ]

    private static func report(_ uri: String) -> MediaPlaylist.RenditionReport {
        MediaPlaylist.RenditionReport(uri: uri, lastSequence: MediaSequenceNumber(end), lastPart: 0)
    }

    @Test(arguments: heads.indices)
    func whatPlayersAreToldOfTheServerIsEnough(index: Int) {
        let (change, expected) = Self.heads[index]
        var playlist = Self.stream.lowLatency(end: Self.end, parts: 2)
        change(&playlist)
        #expect(PlaylistRules.violations(in: playlist).map(\.description) == expected)
    }

    /// The numbers of the specification's own example.
    @Test func timesMayBeRounded() throws {
        var playlist = Self.stream.lowLatency(end: Self.end, parts: 2)
        playlist.partTarget = SegmentDuration(value: 33_334, timescale: 100_000).time
        playlist.serverControl?.partHoldBack = MediaTime(seconds: 1)
        for index in playlist.segments.indices { playlist.segments[index].parts = [] }
        playlist.openSegments[0].parts[0].duration = SegmentDuration(value: 33_334, timescale: 100_000)
        playlist.openSegments[0].parts[1].duration = SegmentDuration(value: 1, timescale: 10)
        #expect(PlaylistRules.violations(in: try MediaPlaylist(parsing: playlist.render())) == [])
    }

    @Test func whatIsWrongWithAPartIsToldOnce() {
        var rules = PlaylistRules()
        var found: [PlaylistRule] = []
        for step in 1...6 {
            var playlist = Self.stream.lowLatency(end: Self.end + Int64(step / 4), parts: step % 4)
            for index in playlist.openSegments.indices where step < 4 {
                playlist.openSegments[index].parts[0].duration = Self.milliseconds(1100)
            }
            if step >= 4 { playlist.segments[14].parts[0].duration = Self.milliseconds(1100) }
            if step >= 4 { playlist.segments[14].parts[3].duration = Self.milliseconds(900) }
            found += rules.violations(of: playlist).map(\.rule)
        }
        #expect(found == [.partAboveTarget])
    }

    /// Of a playlist that nothing is right in, each version is judged in a time that grows as it does.
    @Test func aFloodOfPartsIsJudged() {
        var rules = PlaylistRules()
        var playlist = Self.stream.lowLatency(end: Self.end, parts: 1)
        let part = Self.stream.part(Self.end, 1, milliseconds: 1001)
        playlist.openSegments[0].parts += Array(repeating: part, count: 50_000)
        #expect(rules.violations(of: playlist).count == 50_000)
        #expect(rules.violations(of: playlist).isEmpty)
    }

    /// No rule is broken, whatever a correct origin has in its stream, and however a client's requests fall on it.
    @Test(arguments: 0..<15 as Range<UInt64>)
    func aCorrectStreamNeverBreaksARule(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let span = Self.end..<(Self.end + 60)
        let stream = RollingPlaylist(
            gaps: Set(span.filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }),
            discontinuities: Set(span.filter { _ in Int.random(in: 0..<8, using: &generator) == 0 }),
            keyPeriod: Int64.random(in: 1...20, using: &generator)
        )
        var rules = PlaylistRules()
        var step = 0
        while step < span.count * 4 {
            let text = stream.lowLatency(end: Self.end + Int64(step / 4), parts: step % 4).render()
            #expect(rules.violations(of: try MediaPlaylist(parsing: text)) == [])
            let most = Bool.random(using: &generator) ? 2 : 90
            step += Int.random(in: 0...most, using: &generator)
        }
    }
}

extension MediaPlaylist {
    /// Gives the third part another duration, and a part after it.
    fileprivate mutating func add(_ duration: SegmentDuration, _ change: (inout MediaPlaylist) -> Void = { _ in }) {
        openSegments[0].parts[2].duration = duration
        openSegments[0].parts.append(RollingPlaylist().part(end.value, 3))
        change(&self)
    }
}
