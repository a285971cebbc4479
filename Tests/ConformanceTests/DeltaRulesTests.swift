import MediaCore
import Playlists
import Testing

@testable import Conformance

@Suite struct DeltaRulesTests {
    private static let end: Int64 = 450_000_000
    private static let stream = RollingPlaylist(discontinuities: [end - 12, end - 3], keyPeriod: 4)

    /// The delta update of fifteen segments, of which the newest nine last as long as CAN-SKIP-UNTIL says.
    private static func delta(_ playlist: MediaPlaylist, skipping count: Int = 6) -> MediaPlaylist {
        var delta = playlist
        delta.segments.removeFirst(count)
        delta.skip = count > 0 ? MediaPlaylist.Skip(segmentCount: count) : nil
        return delta
    }

    @Test func aDeltaUpdateAndTheVersionBeforeMakeTheWholePlaylist() throws {
        for parts in 0..<4 {
            let old = Self.stream.lowLatency(end: Self.end, parts: parts)
            let new = Self.stream.lowLatency(end: Self.end + 1, parts: 2)
            for whole in [old, new] {
                let delta = try MediaPlaylist(parsing: Self.delta(whole).render())
                #expect(delta.filled(from: old)?.render() == whole.render())
                #expect(PlaylistRules.violations(ofDelta: delta, after: old) == [])
            }
        }
    }

    /// A server may skip the tags of keys and maps with the segments that they stand above.
    @Test func whatIsInForceAtTheLastSkippedSegmentGoesOn() throws {
        let whole = Self.stream.lowLatency(end: Self.end, parts: 2)
        var lines = Self.delta(whole).render().split(separator: "\n")
        let skip = try #require(lines.firstIndex { $0.hasPrefix("#EXT-X-SKIP") })
        #expect(lines[skip + 1].hasPrefix("#EXT-X-MAP") && lines[skip + 2].hasPrefix("#EXT-X-KEY"))
        lines.removeSubrange(skip + 1...skip + 2)
        let delta = try MediaPlaylist(parsing: lines.joined(separator: "\n"))
        #expect(delta.segments[0].keys == [] && delta.segments[0].map == nil)
        #expect(PlaylistRules.violations(ofDelta: delta, after: whole) == [])
    }

    @Test func withoutAnyTagItGoesOnInTheOpenSegment() throws {
        let whole = RollingPlaylist(keyPeriod: 1 << 40).lowLatency(end: Self.end, parts: 2)
        let lines = Self.delta(whole).render().split(separator: "\n").filter {
            !$0.hasPrefix("#EXT-X-KEY") && !$0.hasPrefix("#EXT-X-MAP")
        }
        let delta = try MediaPlaylist(parsing: lines.joined(separator: "\n"))
        #expect(delta.filled(from: whole)?.render() == whole.render())
    }

    /// METHOD=NONE is no key: what is clear behind something encrypted stays so.
    @Test func clearSegmentsBelowEncryptedOnesStayClear() throws {
        var whole = RollingPlaylist(keyPeriod: 1 << 40).lowLatency(end: Self.end, parts: 2)
        for index in 6..<15 { whole.segments[index].keys = [] }
        whole.openSegments[0].keys = []
        let delta = try MediaPlaylist(parsing: Self.delta(whole).render())
        #expect(delta.filled(from: whole)?.render() == whole.render())
    }

    @Test func aDeltaUpdateOfAnOlderVersionCannotBeFilledIn() {
        let old = Self.stream.lowLatency(end: Self.end - 12, parts: 2)
        let delta = Self.delta(Self.stream.lowLatency(end: Self.end, parts: 2))
        #expect(delta.filled(from: old) == nil)
        #expect(delta.filled(from: delta) == nil)
    }

    private static let cases: [(change: @Sendable (inout MediaPlaylist) -> Void, detail: String)] = [
        ({ $0.skip?.segmentCount = 5 }, "removedFromEnd: the last number went from 450000000 to 449999999"),
        ({ $0.skip?.segmentCount = 7 }, "lineChanged: URI is "),
        ({ $0.skip?.segmentCount = 16 }, "449999985..<450000001 is skipped, and 449999985..<450000000 is what"),
        ({ $0.skip?.segmentCount = 1 << 53 }, "449999985..<"),
        ({ $0.segments[3].duration = SegmentDuration(value: 5, timescale: 1) }, "lineChanged: EXTINF is "),
        ({ $0.openSegments[0].parts[0].uri = "other" }, "partChanged: EXT-X-PART is "),
        ({ $0 = delta(stream.lowLatency(end: end, parts: 2), skipping: 0) }, "nothing is skipped: 60 s are left, and"),
        ({ $0 = delta(stream.lowLatency(end: end, parts: 2), skipping: 9) }, "too much is skipped: 24 s are left, and"),
    ]

    @Test(arguments: cases.indices)
    func aWrongDeltaUpdateIsToldOnce(index: Int) {
        let (change, detail) = Self.cases[index]
        let whole = Self.stream.lowLatency(end: Self.end, parts: 2)
        var delta = Self.delta(whole)
        change(&delta)
        let found = PlaylistRules.violations(ofDelta: delta, after: whole)
        #expect(found.map(\.rule) == [.deltaContradicted])
        #expect(found.first?.detail.hasPrefix(detail) == true, "\(found)")
    }

    @Test func nobodyGetsADeltaUpdateWhoDoesNotAskForIt() {
        let delta = Self.delta(Self.stream.lowLatency(end: Self.end, parts: 2))
        #expect(PlaylistRules.violations(in: delta).map(\.rule) == [.deltaContradicted])
    }

    @Test func aNumberThatNobodyCanCountWithIsRefused() throws {
        var delta = Self.delta(Self.stream.lowLatency(end: Self.end, parts: 2))
        delta.skip?.segmentCount = .max
        #expect(throws: PlaylistParsingError.self) { try MediaPlaylist(parsing: delta.render()) }
    }
}
