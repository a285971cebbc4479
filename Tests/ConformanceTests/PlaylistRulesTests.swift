import MediaCore
import Playlists
import TestSupport
import Testing

@testable import Conformance

@Suite struct PlaylistRulesTests {
    typealias Change = @Sendable (inout MediaPlaylist) -> Void

    private static let end: Int64 = 450_000_000
    private static let first = end - 15

    /// A change to the version that follows ``end``, one slot later, and all that it should be accused of.
    private static let cases: [(change: Change, violations: [String])] = [
        ({ _ in }, []),
        (
            { $0.targetDuration = 7 },
            ["targetDurationChanged: from 6 to 7 (RFC 8216bis § 6.2.1)"]
        ),
        (
            { $0.segments[14].duration = SegmentDuration(value: 65, timescale: 10) },
            [
                "durationAboveTarget at 450000000: EXTINF 6.500000 rounds to more than 6 (RFC 8216bis § 4.4.3.1)"
            ]
        ),
        (
            { $0.segments[14].programDateTime += MediaTime(milliseconds: 20) },
            [
                "dateContradictsDuration at 450000000: it is dated 2027-01-15T08:00:00.020Z, "
                    + "and EXTINF before it leads to 2027-01-15T08:00:00.000Z (RFC 8216bis § 4.4.4.6)"
            ]
        ),
        // Clocks drift: by 8 ms in four seconds at most.
        ({ $0.segments[14].programDateTime += MediaTime(milliseconds: 9) }, []),
        ({ $0.segments[14].programDateTime += MediaTime(milliseconds: -9) }, []),
        (
            { $0.segments[14].programDateTime += MediaTime(milliseconds: -11) },
            [
                "dateContradictsDuration at 450000000: it is dated 2027-01-15T07:59:59.989Z, "
                    + "and EXTINF before it leads to 2027-01-15T08:00:00.000Z (RFC 8216bis § 4.4.4.6)"
            ]
        ),
        (
            {
                $0.segments[14].programDateTime += MediaTime(seconds: 20)
                $0.segments[14].startsDiscontinuity = true
            }, []
        ),
        (
            { $0.segments[3].uri = "other.m4s" },
            [
                "lineChanged at 449999989: URI is video/449999989.m4s and other.m4s (RFC 8216bis § 6.2.1)"
            ]
        ),
        (
            { $0.segments[3].keys = [EncryptionKey(method: .aes128, uri: "k")] },
            [
                "lineChanged at 449999989: EXT-X-KEY is none and METHOD=AES-128,URI=k (RFC 8216bis § 6.2.1)"
            ]
        ),
        (
            { $0.segments[3].map = nil },
            [
                "lineChanged at 449999989: EXT-X-MAP is video/init-0.mp4 and none (RFC 8216bis § 6.2.1)"
            ]
        ),
        (
            { $0.segments[3].isGap = true },
            [
                "gapChanged at 449999989: EXT-X-GAP is absent and there (RFC 8216bis § 6.2.1)"
            ]
        ),
        (
            { $0.discontinuitySequence = 1 },
            [
                "discontinuitySequenceMiscounted at 449999986: its discontinuity sequence number went from 0 to 1 "
                    + "(RFC 8216bis § 6.2.2)"
            ]
        ),
        (
            { $0.mediaSequence = MediaSequenceNumber(first + 2) },
            [
                "mediaSequenceMiscounted: from 449999985 to 449999987 while 1 segments left (RFC 8216bis § 6.2.2)"
            ]
        ),
        (
            {
                $0.segments.removeLast(2)
            },
            ["removedFromEnd: the last number went from 450000000 to 449999999 (RFC 8216bis § 6.2.2)"]
        ),
        (
            {
                $0.segments.removeFirst(11)
                $0.mediaSequence = MediaSequenceNumber(first + 12)
            },
            ["windowTooShort: 16.0 s are left of a target duration of 6 (RFC 8216bis § 6.2.2)"]
        ),
    ]

    @Test(arguments: cases.indices)
    func aChangeIsAccusedOfTheRuleItBreaks(index: Int) {
        let (change, expected) = Self.cases[index]
        var rules = PlaylistRules()
        #expect(rules.violations(of: RollingPlaylist().playlist(end: Self.end)) == [])
        var next = RollingPlaylist().playlist(end: Self.end + 1)
        change(&next)
        #expect(rules.violations(of: next).map(\.description) == expected)
    }

    /// Behind a gap, the first frame may come a little later than the gap ends.
    @Test(arguments: [(13, 85, false), (13, 100, true), (12, 40, true)])
    func mediaBehindAGapBeginsWithItsFirstFrame(gap: Int, lateness: Int64, isWrong: Bool) {
        var playlist = RollingPlaylist().playlist(end: Self.end)
        playlist.segments[gap].isGap = true
        playlist.segments[14].programDateTime += MediaTime(milliseconds: lateness)
        var rules = PlaylistRules()
        #expect(rules.violations(of: playlist).map(\.rule) == (isWrong ? [.dateContradictsDuration] : []))
    }

    @Test func aSequenceThatGoesBackIsToldOnce() {
        var rules = PlaylistRules()
        _ = rules.violations(of: RollingPlaylist().playlist(end: Self.end))
        #expect(
            rules.violations(of: RollingPlaylist().playlist(end: Self.end - 2)).map(\.rule) == [.mediaSequenceDecreased]
        )
        #expect(rules.violations(of: RollingPlaylist().playlist(end: Self.end)) == [])
    }

    @Test func aNumberThatComesBackAsAnotherSegmentIsReused() {
        var rules = PlaylistRules()
        _ = rules.violations(of: RollingPlaylist().playlist(end: Self.end))
        _ = rules.violations(of: RollingPlaylist().playlist(end: Self.end + 100))
        let restarted = RollingPlaylist(track: "new").playlist(end: Self.end)
        let found = rules.violations(of: restarted)
        #expect(found.map(\.rule) == [.mediaSequenceDecreased] + Array(repeating: .numberReused, count: 15))
        #expect(
            found.last?.description
                == "numberReused at 449999999: it left, and came back as new/449999999.m4s (RFC 8216bis § 6.2.2)"
        )
    }

    @Test func anEndedPlaylistStaysAsItIs() {
        var rules = PlaylistRules()
        let ended = RollingPlaylist(stopsBefore: Self.end, isEnded: true).playlist(end: Self.end)
        #expect(rules.violations(of: ended) == [])
        #expect(
            rules.violations(of: RollingPlaylist().playlist(end: Self.end + 1)).map(\.rule) == [.changedAfterEnd]
        )
    }

    @Test func aDiscontinuityMayLeaveWithTheSegmentBeforeItIfItIsCounted() {
        let stream = RollingPlaylist(discontinuities: [Self.first + 1])
        var next = stream.playlist(end: Self.end + 1)
        next.segments[0].startsDiscontinuity = false
        next.discontinuitySequence = 1
        #expect(PlaylistRules.violations(from: stream.playlist(end: Self.end), to: next) == [])
    }

    /// No rule is broken, whatever a correct origin has in its stream, and however a client's polls fall on it.
    @Test(arguments: 0..<15 as Range<UInt64>)
    func aCorrectStreamNeverBreaksARule(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let span = Self.end..<(Self.end + 200)
        let stream = RollingPlaylist(
            gaps: Set(span.filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }),
            discontinuities: Set(span.filter { _ in Int.random(in: 0..<8, using: &generator) == 0 }),
            keyPeriod: Int64.random(in: 1...20, using: &generator),
            window: Int64.random(in: 5...30, using: &generator)
        )
        var rules = PlaylistRules()
        var end = Self.end
        while end < span.upperBound {
            let text = stream.playlist(end: end).render()
            #expect(rules.violations(of: try MediaPlaylist(parsing: text)) == [])
            end += Int64.random(in: 0...(stream.window + 3), using: &generator)
        }
    }

    private static let texts = (0..<20).map { step in
        RollingPlaylist(gaps: [end - 3], discontinuities: [end - 5], keyPeriod: 4).playlist(end: end + step).render()
    }

    /// Playlists are judged or refused, whatever is in them, and the player lives.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func mutatedPlaylistsNeverTrap(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var rules = PlaylistRules()
        var now = MediaTime(seconds: Self.end * 4)
        var player = PlayerModel(at: now)
        _ = player.multivariantLoaded(tracks: [.video], at: now)
        for text in Self.texts {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                let digits = Array("0123456789999999".utf8)
                bytes[index] = digits.randomElement(using: &generator) ?? 0
                if Bool.random(using: &generator) { bytes.insert(contentsOf: digits, at: index) }
            }
            now += MediaTime(seconds: 2)
            guard let playlist = try? MediaPlaylist(parsing: String(decoding: bytes, as: UTF8.self)) else { continue }
            _ = rules.violations(of: playlist)
            for case .segment(let track, let number, let segment) in player.playlistLoaded(.video, playlist, at: now) {
                _ = player.segmentLoaded(track, number, segment, at: now)
            }
        }
        #expect(player.report.endedAt >= player.report.startedAt)
    }
}
