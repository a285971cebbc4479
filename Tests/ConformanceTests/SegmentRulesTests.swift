import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Conformance
@testable import Inspection

@Suite struct SegmentRulesTests {
    private typealias Fixture = SegmentFixture

    private static let section = Result { try ParsedInitialization(Fixture.initialization()) }

    /// The rules that each segment of a list breaks, looked at one after the other.
    private static func rules(
        _ segments: [(body: ByteBuffer, listed: SegmentRules.Listed)],
        hasMap: Bool = true
    ) throws -> [[PlaylistRule]] {
        let section = hasMap ? try section.get() : nil
        var rules = SegmentRules()
        return segments.map { rules.violations(in: $0.body, $0.listed, section).map(\.rule) }
    }

    private static func rules(in body: ByteBuffer, hasMap: Bool = true) throws -> [PlaylistRule] {
        try rules([(body, Fixture.listed())], hasMap: hasMap)[0]
    }

    // MARK: Good streams

    @Test func goodFragmentsBreakNoRule() throws {
        let segments = (0..<5).map { (Fixture.fragments($0), Fixture.listed($0)) }
        #expect(try Self.rules(segments) == [[], [], [], [], []])
    }

    @Test func goodTransportStreamsBreakNoRule() throws {
        let segments = try (0..<5).map { (try Fixture.transportStream($0), Fixture.listed($0)) }
        #expect(try Self.rules(segments, hasMap: false) == [[], [], [], [], []])
    }

    @Test func goodPackedAudioBreaksNoRule() throws {
        // Clocks of 33 bits start over after a day.
        let start: Int64 = (1 << 33) / 360_000
        let segments = (0..<5).map { (Fixture.packedAudio(start + $0), Fixture.listed($0)) }
        #expect(try Self.rules(segments, hasMap: false) == [[], [], [], [], []])
    }

    @Test func aFrameMoreOrLessIsNoContradiction() throws {
        let segments = [0, 3600, -3600, 0].enumerated().map { index, late in
            (Fixture.fragments(Int64(index), late: late), Fixture.listed(Int64(index)))
        }
        #expect(try Self.rules([segments[0], segments[1]]) == [[], []])
        #expect(try Self.rules([segments[0], segments[2], segments[3]]) == [[], [], []])
    }

    @Test func mediaGoesOnAtItsTimeAfterAGap() throws {
        #expect(try Self.rules([0, 3].map { (Fixture.fragments($0), Fixture.listed($0)) }) == [[], []])
        #expect(
            try Self.rules([(Fixture.fragments(), Fixture.listed()), (Fixture.fragments(1), Fixture.listed(3))])
                == [[], [.mediaContradictsDate]]
        )
    }

    @Test func aDiscontinuityEndsEveryTimeline() throws {
        let segments = [
            (Fixture.fragments(), Fixture.listed()),
            (Fixture.fragments(9000), Fixture.listed(1, discontinuitySequence: 1)),
        ]
        #expect(try Self.rules(segments) == [[], []])
    }

    @Test func subtitlesSayWhatTheirTimesAre() {
        let map = "\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"
        let broken = "\n\n00:01.000 -> 00:02.000\nx\n"
        for (text, expected) in [
            ("\(map)\n\n", 0), ("\(map)\n\n00:01.000 --> 00:02.000\nx\n", 0), ("\n\n", 1), (map + broken, 1),
        ] {
            var rules = SegmentRules()
            let found = rules.violations(in: ByteBuffer(string: "WEBVTT" + text), Fixture.listed(), nil)
            #expect(found.map(\.rule) == Array(repeating: .segmentMalformed, count: expected), "\(text)")
        }
    }

    /// WebVTT § 4.1: lines may end in CRLF, and a byte order mark may stand ahead of all.
    @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n", "\r"])
    func subtitlesMayHaveAnyLines(mark: String, end: String) {
        let lines = [
            "WEBVTT", "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000", "", "00:01.000 --> 00:02.000", "x", "",
        ]
        var rules = SegmentRules()
        let body = ByteBuffer(string: mark + lines.joined(separator: end))
        #expect(rules.violations(in: body, Fixture.listed(), nil).map(\.detail) == [])
        // In a cue it is no header.
        let late = ByteBuffer(string: mark + ([lines[0]] + lines.suffix(4) + [lines[1], ""]).joined(separator: end))
        let details = rules.violations(in: late, Fixture.listed(), nil).map(\.detail)
        #expect(details.contains { $0.contains("it has no X-TIMESTAMP-MAP") }, "\(details)")
    }

    // MARK: By itself

    @Test func aSegmentStartsWithASyncSample() throws {
        let fragments = Fixture.fragments(0, Fixture.samples(startsWithSync: false))
        #expect(try Self.rules(in: fragments) == [.startsWithoutSyncSample])
        let stream = try Fixture.transportStream(startsWithSync: false)
        #expect(try Self.rules(in: stream, hasMap: false) == [.startsWithoutSyncSample])
    }

    @Test func whatCannotBeReadIsMalformed() throws {
        let fragments = Fixture.fragments()
        for length in [4, 60, fragments.readableBytes - 1] {
            let part = fragments.getSlice(at: fragments.readerIndex, length: length) ?? ByteBuffer()
            #expect(try Self.rules(in: part).contains(.segmentMalformed), "\(length) bytes")
        }
        #expect(try Self.rules(in: ByteBuffer(string: "<html>"), hasMap: false) == [.segmentMalformed])
        #expect(try Self.rules(in: ByteBuffer(string: "ID3"), hasMap: false) == [.segmentMalformed])
        #expect(try Self.rules(in: ByteBuffer(), hasMap: false) == [.segmentMalformed])
    }

    @Test func fragmentsAreNumberedUpwards() throws {
        func segment(_ numbers: [UInt32]) throws -> [PlaylistRule] {
            var bytes = ByteBuffer()
            for (index, number) in numbers.enumerated() {
                var fragment = Fixture.fragments(Int64(index))
                // `styp` of 24 bytes, then `moof` and `mfhd` with its version.
                fragment.setInteger(number, at: fragment.readerIndex + 24 + 8 + 12)
                bytes.writeBuffer(&fragment)
            }
            return try Self.rules(in: bytes)
        }
        #expect(try segment([1, 2]) == [])
        #expect(try segment([.max, 0]) == [])
        #expect(try segment([2, 1]) == [.segmentMalformed])
        #expect(try segment([2, 2]) == [.segmentMalformed])
    }

    @Test func fragmentsOfASegmentFollowOneAnother() throws {
        var bytes = Fixture.fragments(0)
        bytes.writeImmutableBuffer(Fixture.fragments(1, late: 1))
        #expect(try Self.rules(in: bytes) == [.decodeTimesBroken])
    }

    @Test func aDamagedTransportStreamIsSaidOnce() throws {
        let stream = Array(try Fixture.transportStream().readableBytesView)
        let withoutPacket = stream[..<(188 * 20)] + stream[(188 * 21)...]
        #expect(try Self.rules(in: ByteBuffer(bytes: withoutPacket), hasMap: false).contains(.segmentMalformed))
        let withoutTables = stream[188...]
        #expect(try Self.rules(in: ByteBuffer(bytes: withoutTables), hasMap: false).contains(.segmentMalformed))
        var rules = SegmentRules()
        let broken = ByteBuffer(bytes: stream[..<188] + ArraySlice(repeating: 0, count: 188 * 1000))
        let violations = rules.violations(in: broken, Fixture.listed(), nil)
        #expect(violations.count < 10)
        #expect(violations.contains { $0.detail.hasSuffix("and 999 times more") })
    }

    @Test func mediaIsOfTheTracksOfItsMap() throws {
        var bytes = Fixture.fragments()
        let start = try #require(bytes.readableBytesView.firstRange(of: Array("tfhd".utf8))).upperBound
        bytes.setInteger(UInt32(9), at: start + 4)
        #expect(Set(try Self.rules(in: bytes)) == [.wrongTracks])
    }

    @Test func audioAndVideoAreApart() throws {
        var section = Fixture.initialization()
        // The same track once more, in a longer `moov`.
        let movie = try #require(ParsedBox.boxes(in: section).first("moov"))
        let track = try movie.child("trak").range
        let copy = try #require(section.getSlice(at: track.lowerBound, length: track.count))
        let rest = try #require(
            section.getSlice(at: track.upperBound, length: section.readableBytes - track.upperBound)
        )
        section.moveWriterIndex(to: track.upperBound)
        section.writeImmutableBuffer(copy)
        section.writeImmutableBuffer(rest)
        section.setInteger(UInt32(movie.range.count + track.count), at: movie.range.lowerBound)
        var rules = SegmentRules()
        let found = rules.violations(in: Fixture.fragments(), Fixture.listed(), try ParsedInitialization(section))
        #expect(found.map(\.rule) == [.tracksMixed])
    }

    @Test func timesBeyondAllClocksAreMalformed() throws {
        var bytes = Fixture.fragments()
        let start = try #require(bytes.readableBytesView.firstRange(of: Array("tfdt".utf8))).upperBound
        bytes.setInteger(UInt64.max - 1, at: start + 4)
        #expect(try Self.rules(in: bytes) == [.segmentMalformed])
    }

    // MARK: Against the one before

    @Test func decodeTimesGoOn() throws {
        let short = Fixture.fragments(0, Fixture.samples(90))
        #expect(
            try Self.rules([(short, Fixture.listed()), (Fixture.fragments(1), Fixture.listed(1))])
                == [[], [.decodeTimesBroken]]
        )
        let long = Fixture.fragments(0, Fixture.samples(110))
        #expect(
            try Self.rules([(long, Fixture.listed()), (Fixture.fragments(1), Fixture.listed(1))])
                == [[], [.decodeTimesBroken]]
        )
    }

    @Test func countersOfTransportStreamsGoOn() throws {
        let first = Array(try Fixture.transportStream().readableBytesView).dropLast(188)
        let segments = [
            (ByteBuffer(bytes: first), Fixture.listed()), (try Fixture.transportStream(1), Fixture.listed(1)),
        ]
        #expect(try Self.rules(segments, hasMap: false)[1] == [.segmentMalformed])
    }

    @Test func durationsAndDatesAgreeWithTheMedia() throws {
        #expect(
            try Self.rules([
                (Fixture.fragments(), Fixture.listed(seconds: 5)), (Fixture.fragments(1), Fixture.listed(1)),
            ]) == [[], [.mediaContradictsDuration]]
        )
        #expect(
            try Self.rules([
                (Fixture.fragments(), Fixture.listed()), (Fixture.fragments(1), Fixture.listed(1, dateOffset: 500)),
            ]) == [[], [.mediaContradictsDate]]
        )
        let late = try Self.rules(
            [
                (try Fixture.transportStream(), Fixture.listed()),
                (try Fixture.transportStream(1, late: 9000), Fixture.listed(1)),
            ],
            hasMap: false
        )
        #expect(Set(late[1]).isSuperset(of: [.mediaContradictsDuration, .mediaContradictsDate]))
        let audio = [
            (Fixture.packedAudio(), Fixture.listed()), (Fixture.packedAudio(1, late: 9000), Fixture.listed(1)),
        ]
        #expect(try Self.rules(audio, hasMap: false) == [[], [.mediaContradictsDuration, .mediaContradictsDate]])
    }
}
