import MediaCore
import NIOCore
import Playlists
import Synchronization
import Testing

@testable import Presentation

/// Parts of the slot that is open, and requests that wait for them (RFC 8216bis § 6.2.5.2).
@Suite struct BlockedReloadTests {
    private final class Calls: Sendable {
        private let called = Mutex<[String]>([])
        func waiter(_ name: String) -> @Sendable () -> Void { { self.called.withLock { $0.append(name) } } }
        /// Takes the names of those that were called since the last call.
        func take() -> [String] {
            called.withLock { called in
                defer { called = [] }
                return called.sorted()
            }
        }
    }

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
        try timeline.append(part, entityTag: nil, after: timeline.last, terms)
    }

    private static func show(_ last: Int64, in timeline: inout RenditionTimeline) {
        let end = MediaSequenceNumber(last)
        let isShown = timeline.show(
            RenderedPlaylist(
                generation: 1,
                rendering: (timeline.playlist?.rendering ?? 0) + 1,
                text: PlaylistText(CompressedText()),
                lines: LineBlocks(),
                skippedRanges: CarriedLines(),
                end: end,
                openPartCount: timeline.parts.count(of: end.next),
                hasParts: true
            ),
            terms
        )
        #expect(isShown)
    }

    // MARK: One rendition

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
        (position(10, 0), PartFate.never), (position(11, 0), .exists), (position(11, 1), .exists),
        (position(11, 2), .awaited), (position(11, 3), .never), (position(11), .never), (position(12, 0), .awaited),
        (position(12, 1), .never), (position(13, 0), .never), (position(.max, 0), .never), (position(11, .max), .never),
    ])
    func aPartIsAwaitedIfItIsTheNext(position: PlaylistPosition, fate: PartFate) throws {
        #expect(try Self.timeline(parts: 2).fate(of: position) == fate)
    }

    @Test func whoeverAwaitsAPartLearnsThatItNeverComes() throws {
        var timeline = try Self.timeline(parts: 2)
        try Self.append(Self.part(12, 0), to: &timeline)
        #expect(timeline.fate(of: Self.position(11, 2)) == .never)
        #expect(timeline.fate(of: Self.position(12, 1)) == .awaited)
        timeline = try Self.timeline(parts: 2)
        Self.show(11, in: &timeline)
        #expect(timeline.fate(of: Self.position(11, 2)) == .never)
        #expect(timeline.fate(of: Self.position(12, 0)) == .awaited)
        #expect(timeline.fate(of: Self.position(13, 0)) == .never)
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

    // MARK: A presentation

    @Test func eachIsCalledByThePublicationThatItWaitsFor() throws {
        var channel = Channel(partTarget: MediaTime(seconds: 1))
        let presentation = channel.presentation
        let calls = Calls()
        let first = Channel.firstNumber
        try channel.publish()
        func wait(_ id: RenditionID, _ number: Int64, _ part: Int? = nil) -> BlockedReload {
            let name = "\(id) \(number) \(part.map(String.init) ?? "-")"
            return presentation.reload(id, at: Self.position(first + number, part), calls.waiter(name))
        }
        #expect(wait(Channel.video, 0) == .ready)
        #expect(wait(Channel.video, 3) == .tooFar)
        #expect(wait("radio", 3) == .ready)
        for (id, number, part) in [
            (Channel.video, 1, 0), (Channel.video, 1, 1), (Channel.video, 1, nil), (Channel.video, 2, nil),
            (Channel.audio, 1, 0), (Channel.audio, 1, nil),
        ] as [(RenditionID, Int64, Int?)] {
            guard case .waiting = wait(id, number, part) else {
                Issue.record("\(id) \(number) waits")
                continue
            }
        }
        #expect(calls.take() == [])
        try presentation.publish(Self.part(first + 1, 0), of: Channel.video)
        #expect(calls.take() == ["video-1080p 1 0"])
        try presentation.publish(Self.part(first + 1, 0, isGap: true), of: Channel.audio)
        #expect(calls.take() == ["audio-en 1 0"])
        try presentation.publish(Self.part(first + 1, 1), of: Channel.video)
        #expect(calls.take() == ["video-1080p 1 1"])
        try channel.publish()
        #expect(calls.take() == ["audio-en 1 -", "video-1080p 1 -"])
        presentation.end(now: channel.now)
        #expect(calls.take() == ["video-1080p 2 -"])
        #expect(presentation.waiters.count == 0)
        #expect(wait(Channel.video, 9) == .ready)
        #expect(throws: PartError.ended) { try presentation.publish(Self.part(first + 2, 0), of: Channel.video) }
    }

    @Test func whoHasWaitedLongEnoughIsNotCalled() throws {
        var channel = Channel(partTarget: MediaTime(seconds: 1))
        let calls = Calls()
        try channel.publish()
        let position = Self.position(Channel.firstNumber + 1)
        guard case .waiting(let number) = channel.presentation.reload(Channel.video, at: position, calls.waiter("a"))
        else {
            Issue.record("it waits")
            return
        }
        channel.presentation.stopWaiting(number)
        try channel.publish()
        #expect(calls.take() == [])
    }

    @Test func noMoreWaitThanCanBeRemembered() throws {
        var channel = Channel(partTarget: MediaTime(seconds: 1))
        let calls = Calls()
        try channel.publish()
        let position = Self.position(Channel.firstNumber + 1)
        for _ in 0..<PlaylistWaiters.capacity {
            _ = channel.presentation.reload(Channel.audio, at: position, calls.waiter("a"))
        }
        #expect(channel.presentation.reload(Channel.audio, at: position) {} == .tooMany)
        try channel.publish()
        #expect(calls.take().count == PlaylistWaiters.capacity)
    }

    /// A rendition that has left is not waited for, and a window that begins anew begins with a whole slot.
    @Test func whatIsNoLongerListedIsNotWaitedFor() throws {
        var channel = Channel(partTarget: MediaTime(seconds: 1))
        let presentation = channel.presentation
        let calls = Calls()
        try channel.publish()
        let next = Self.position(Channel.firstNumber + 1)
        let later = Self.position(Channel.firstNumber + 2)
        _ = presentation.reload(Channel.audio, at: later, calls.waiter("audio"))
        _ = presentation.reload(Channel.video, at: next, calls.waiter("video"))
        try presentation.publish(Self.part(next.number.value, 0), of: Channel.video)
        presentation.declare(renditions: [.video])
        try channel.publish([Channel.video])
        #expect(calls.take() == ["audio", "video"])
        try channel.leap(to: Channel.firstNumber + 1000)
        try channel.publish([Channel.video])
        #expect(throws: PartError.self) {
            try presentation.publish(Self.part(later.number.value, 0), of: Channel.video)
        }
        try presentation.publish(Self.part(Channel.firstNumber + 1001, 0), of: Channel.video)
    }
}
