import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Presentation

/// Parts of the slot that is open, and positions that may be waited for (RFC 8216bis § 6.2.5.2).
@Suite struct BlockedReloadTests {
    private static func part(_ number: Int64, _ index: Int, isGap: Bool = false) -> PublishedPart {
        PublishedPart(
            number: MediaSequenceNumber(number),
            index: index,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: index == 0,
            content: isGap ? .gap : .media(ByteBuffer(string: "part"))
        )
    }

    private static func position(_ number: Int64, _ part: Int? = nil) -> PlaylistPosition {
        PlaylistPosition(MediaSequenceNumber(number), part: part)
    }

    /// A timeline whose playlist lists all parts that are there, of one second each.
    private static func timeline(last: Int64 = 10, parts: Int) throws -> RenditionTimeline {
        var timeline = RenditionTimeline()
        show(last, in: &timeline)
        for index in 0..<parts { try append(part(last + 1, index), to: &timeline) }
        show(last, in: &timeline)
        return timeline
    }

    private static let terms = LowLatency(
        partTarget: MediaTime(seconds: 1),
        targetDuration: 6,
        segmentDuration: MediaTime(seconds: 4)
    )

    private static func append(_ part: PublishedPart, to timeline: inout RenditionTimeline) throws(PartError) {
        try timeline.append(part, entityTag: nil, of: RenditionID("video"), after: timeline.last, terms)
    }

    private static func show(_ last: Int64, in timeline: inout RenditionTimeline) {
        let end = MediaSequenceNumber(last)
        let isShown = timeline.show(
            RenderedPlaylist(
                generation: 1,
                rendering: (timeline.playlist?.rendering ?? 0) + 1,
                text: PlaylistText(CompressedText()),
                lines: LineBlocks(),
                skippedRanges: SharedLines(),
                end: end,
                openPartCount: timeline.parts.count(of: end.next),
                hasParts: true
            ),
            terms
        )
        #expect(isShown)
    }

    @Test func partsFollowEachOtherInTheSlotThatIsOpen() throws {
        var timeline = try Self.timeline(parts: 2)
        for wrong in [Self.part(11, 1), Self.part(11, 3), Self.part(12, 1), Self.part(10, 2)] {
            #expect(throws: PartError.outOfSequence(expected: Self.position(11, 2), found: wrong.position)) {
                try Self.append(wrong, to: &timeline)
            }
        }
        try Self.append(Self.part(11, 2, isGap: true), to: &timeline)
        #expect(timeline.parts.count(of: MediaSequenceNumber(11)) == 3)
        #expect(timeline.isBehind)
        Self.show(11, in: &timeline)
        #expect(!timeline.isBehind)
        try Self.append(Self.part(12, 0), to: &timeline)
        #expect(timeline.isBehind)
    }

    /// The slot before may wait for another rendition, and no more than that.
    @Test func oneSlotAheadIsKeptUntilTheSlotBeforeIsWhole() throws {
        var timeline = try Self.timeline(parts: 2)
        try Self.append(Self.part(12, 0), to: &timeline)
        #expect(!timeline.isBehind, "no playlist can list it yet")
        #expect(!timeline.reaches(Self.position(12, 0)))
        #expect(throws: PartError.outOfSequence(expected: Self.position(12, 1), found: Self.position(11, 2))) {
            try Self.append(Self.part(11, 2), to: &timeline)
        }
        #expect(throws: PartError.outOfSequence(expected: Self.position(12, 1), found: Self.position(13, 0))) {
            try Self.append(Self.part(13, 0), to: &timeline)
        }
        Self.show(11, in: &timeline)
        #expect(timeline.reaches(Self.position(12, 0)))
        try Self.append(Self.part(13, 0), to: &timeline)
    }

    @Test func noMorePartsAreKeptThanASlotCanHave() throws {
        var timeline = try Self.timeline(parts: 0)
        var count = 0
        #expect(throws: PartError.tooMany(Self.position(11, Self.terms.maximumCount))) {
            while true {
                try Self.append(Self.part(11, count), to: &timeline)
                count += 1
            }
        }
        #expect(count == Self.terms.maximumCount)
        #expect((12..<100).contains(count))
    }

    @Test(arguments: [
        (position(10, 0), PartAvailability.never), (position(11, 0), .exists), (position(11, 1), .exists),
        (position(11, 2), .awaited), (position(11, 3), .never), (position(11), .never), (position(12, 0), .awaited),
        (position(12, 1), .never), (position(13, 0), .never), (position(.max, 0), .never), (position(11, .max), .never),
    ])
    func aPartIsAwaitedIfItIsTheNext(position: PlaylistPosition, fate: PartAvailability) throws {
        #expect(try Self.timeline(parts: 2).availability(of: position) == fate)
    }

    @Test func whoeverAwaitsAPartLearnsThatItNeverComes() throws {
        var timeline = try Self.timeline(parts: 2)
        try Self.append(Self.part(12, 0), to: &timeline)
        #expect(timeline.availability(of: Self.position(11, 2)) == .never)
        #expect(timeline.availability(of: Self.position(12, 1)) == .awaited)
        timeline = try Self.timeline(parts: 2)
        Self.show(11, in: &timeline)
        #expect(timeline.availability(of: Self.position(11, 2)) == .never)
        #expect(timeline.availability(of: Self.position(12, 0)) == .awaited)
        #expect(timeline.availability(of: Self.position(13, 0)) == .never)
    }

    @Test(arguments: [
        (position(9), true), (position(9, 99), true), (position(10), true), (position(10, 3), true),
        (position(11), false), (position(11, 0), true), (position(11, 1), true), (position(11, 2), false),
        (position(12), false), (position(12, 0), false),
    ])
    func aPlaylistReachesWhatItListsAndAllBefore(position: PlaylistPosition, isThere: Bool) throws {
        #expect(try Self.timeline(parts: 2).reaches(position) == isThere)
    }

    @Test func aPartBeyondTheLastOneIsTheFirstOfTheNextSegment() throws {
        var timeline = try Self.timeline(parts: 4)
        Self.show(11, in: &timeline)
        #expect(timeline.reaches(Self.position(11, 3)))
        #expect(!timeline.reaches(Self.position(11, 4)))
        try Self.append(Self.part(12, 0), to: &timeline)
        Self.show(11, in: &timeline)
        #expect(timeline.reaches(Self.position(11, 4)))
        // A slot that was never in parts has all of them.
        Self.show(20, in: &timeline)
        #expect(timeline.reaches(Self.position(20, 4)))
    }

    @Test(arguments: [
        (position(12), nil, false), (position(13), nil, true),
        // Two parts are there: three more may be asked for, or three seconds of them.
        (position(11, 4), MediaTime(seconds: 1), false), (position(11, 5), MediaTime(seconds: 1), true),
        (position(11, 10), MediaTime(milliseconds: 334), false), (position(11, 11), MediaTime(milliseconds: 334), true),
        (position(12, 2), MediaTime(seconds: 2), false), (position(12, 3), MediaTime(seconds: 2), true),
        (position(10, 99), MediaTime(seconds: 1), false),
    ])
    func whatIsTooFarIsRefused(position: PlaylistPosition, partTarget: MediaTime?, isTooFar: Bool) throws {
        #expect(try Self.timeline(parts: 2).isTooFar(position, partTarget: partTarget) == isTooFar)
    }
}
