import MediaCore
import NIOCore
import Presentation
import Synchronization
import TestSupport
import Testing

@testable import Playlists

/// Another process continues from the saved window.
@Suite struct PresentationRestoreTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func aRestoredChannelIsTheSameToEveryPlayerFromThereOn(seed: UInt64) throws {
        var feed = RandomFeed(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let recorder = Recorder()
        let original = makePresentation(feed, recorder)
        let joiningSlot = Int.random(in: 0..<10, using: &generator)
        original.declare(renditions: [.video])
        let restartingSlot = Int.random(in: 0..<30, using: &generator)
        for index in 0..<restartingSlot { try publish(&feed, index, joiningSlot, [original]) }

        let successor = makePresentation(feed)
        successor.declare(renditions: index(restartingSlot, isBefore: joiningSlot) ? [.video] : [.video, .audio])
        if let restored = recorder.restored { successor.restore(restored, now: feed.now) }
        for index in restartingSlot..<restartingSlot + 12 {
            expectEqual(successor, original, now: feed.now)
            try publish(&feed, index, joiningSlot, [original, successor])
        }
        expectEqual(successor, original, now: feed.now)
        #expect(successor.saved == original.saved)
    }

    /// Publishes the next slot; audio joins in one of them.
    private func publish(_ feed: inout RandomFeed, _ index: Int, _ joining: Int, _ all: [Presentation]) throws {
        var slot = feed.nextSlot()
        if self.index(index, isBefore: joining) { slot.segments[Channel.audio] = nil }
        for presentation in all {
            if index == joining { presentation.declare(renditions: [.video, .audio]) }
            if let key = slot.segments[Channel.video]?.keys.first { presentation.setSessionKeys([key]) }
            try presentation.publish(slot, now: feed.now)
        }
    }

    private func index(_ index: Int, isBefore joining: Int) -> Bool { index < joining }

    private func makePresentation(_ feed: RandomFeed, _ journal: Recorder? = nil) -> Presentation {
        Presentation(configuration: feed.makePresentation().configuration, consumers: [journal].compactMap(\.self))
    }

    /// Playlists byte by byte, and all that they name.
    private func expectEqual(_ presentation: Presentation, _ original: Presentation, now: MediaTime) {
        for path in ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"] {
            #expect(presentation.resource(path, now: now) == original.resource(path, now: now))
        }
        for file in original.saved.files {
            let resource = original.resource(file.path, now: now).resource
            #expect(resource != nil && presentation.resource(file.path, now: now).resource == resource)
        }
        #expect(presentation.slotsWithKeys.isSubset(of: original.slotsWithKeys))
    }

    @Test func theJournalHearsOfASlotBeforeAnyoneSeesItAndOutsideTheLock() throws {
        let witness = Witness()
        let presentation = Presentation(configuration: Channel().presentation.configuration, consumers: [witness])
        witness.presentation.withLock { $0 = presentation }
        presentation.declare(renditions: [.video])
        for number in 0..<Int64(3) { try presentation.publish(.media(number), now: MediaTime(seconds: number * 4)) }
        #expect(witness.seen.withLock { $0 } == [0, 1, 2])
    }

    @Test func slotsThatArePassedOverOrRefusedAreNotJournalled() throws {
        let recorder = Recorder()
        let presentation = Presentation(configuration: Channel().presentation.configuration, consumers: [recorder])
        presentation.declare(renditions: [.video])
        try presentation.publish(.gap(1), now: .zero)
        try presentation.publish(.media(2), now: .zero)
        #expect(throws: PublicationError.outOfSequence(expected: MediaSequenceNumber(3), found: MediaSequenceNumber(5)))
        {
            try presentation.publish(.media(5), now: .zero)
        }
        #expect(recorder.restored?.window.numbers == MediaSequenceNumber(2)..<MediaSequenceNumber(3))
    }

    @Test func theWindowBeginsAfterTheLastSlotWhoseBytesAreLost() throws {
        var restored = try restored(publishing: (10...15).map { .media($0, isDiscontinuity: $0 == 11) })
        restored.bodies["video-1080p/12.m4s"] = nil
        let presentation = Channel().presentation
        #expect(presentation.restore(restored, now: MediaTime(seconds: 64)) == 3)
        let playlist = try presentation.playlist(now: MediaTime(seconds: 64))
        #expect(playlist.segments.map(\.uri) == (13...15).map { "video-1080p/\($0).m4s" })
        #expect(playlist.discontinuitySequence == 1)
        let lost = presentation.resource("video-1080p/12.m4s", now: MediaTime(seconds: 64))
        #expect(lost == .notFound(.expired))
    }

    @Test func bytesThatAreNotThoseThatWereListedAreLeftOut() throws {
        let restored = try restored(publishing: (10...11).map { .media($0) })
        var bodies = restored.bodies
        bodies["video-1080p/10.m4s"] = .numbered(11, count: 1000)
        bodies["video-1080p/99.m4s"] = .numbered(99, count: 1000)
        let checked = RestoredWindow(window: restored.window, bodies: bodies)
        #expect(checked.bodies.keys.sorted() == ["video-1080p/11.m4s", "video-1080p/init.mp4"])
    }

    @Test func whatRemainsAfterLostBytesDoesNotBeginWithAGap() throws {
        var restored = try restored(publishing: [.media(10), .media(11), .gap(12), .gap(13), .media(14), .gap(15)])
        restored.bodies["video-1080p/11.m4s"] = nil
        let presentation = Channel().presentation
        #expect(presentation.restore(restored, now: MediaTime(seconds: 64)) == 2)
        #expect(try presentation.playlist(now: MediaTime(seconds: 64)).mediaSequence.value == 14)
    }

    @Test(arguments: [true, false])
    func withNothingToListNumbersAndDiscontinuitiesGoOn(bytesAreLost: Bool) throws {
        var restored = try restored(publishing: [.media(10), .media(11, isDiscontinuity: true), .media(12)])
        if bytesAreLost { restored.bodies["video-1080p/init.mp4"] = nil }
        // The window is 24 s long and ended at 52.
        let now = MediaTime(seconds: bytesAreLost ? 52 : 76)
        let presentation = Channel().presentation
        #expect(presentation.restore(restored, now: now) == 0)
        #expect(presentation.resource("video-1080p.m3u8", now: now) == .starting(retryAfter: 4))
        #expect(presentation.saved.lastNumber?.value == 12)
        #expect(
            throws: PublicationError.outOfSequence(expected: MediaSequenceNumber(13), found: MediaSequenceNumber(12))
        ) {
            try presentation.publish(.media(12), now: now)
        }
        // Slots missed while down need not be published.
        try presentation.publish(.gap(18, isDiscontinuity: true), now: now)
        try presentation.publish(.media(19), now: now)
        let playlist = try presentation.playlist(now: now)
        #expect(playlist.mediaSequence.value == 19)
        #expect(playlist.discontinuitySequence == 2)
        #expect(presentation.resource("video-1080p/11.m4s", now: now) == .notFound(.expired))
    }

    @Test func aWindowThatPlayersMayStillWantIsRestored() throws {
        let restored = try restored(publishing: (10...12).map { .media($0) })
        // One tick before 24 s have passed since its end.
        let now = MediaTime(ticks: MediaTime(seconds: 76).ticks - 1)
        #expect(Channel().presentation.restore(restored, now: now) == 3)
    }

    @Test func theEdgeSaysWhereARenditionBrokeOffExactly() throws {
        var slot = PublishedSlot.media(10)
        slot.segments[Channel.video]?.programDateTime = MediaTime(3_600_007, timescale: 90_000)
        slot.segments[Channel.video]?.duration = SegmentDuration(value: 192_001, timescale: 48_000)
        slot.segments[Channel.video]?.filler = .slate
        let run = MediaSequenceNumber(7)...MediaSequenceNumber(10)
        let selection = SourceSelection(active: .firstBackup, wholeRuns: [nil, run])
        slot.segments[Channel.video]?.selection = selection
        let edge = try restored(publishing: [slot]).window.edge(of: Channel.video)
        #expect(
            edge
                == SavedWindow.Edge(
                    start: MediaTime(ticks: 3_600_007),
                    duration: SegmentDuration(value: 192_001, timescale: 48_000),
                    fingerprint: "init.mp4",
                    filler: .slate,
                    isGap: false,
                    selection: selection
                )
        )
        #expect(edge?.exactEnd == 2_112_005)
        let window = try restored(publishing: [slot, .gap(11)]).window
        #expect(window.edge(of: Channel.video)?.fingerprint == "init.mp4")
        #expect(window.edge(of: Channel.video)?.isGap == true)
        #expect(window.edge(of: Channel.audio) == nil)
    }

    @Test func whatWasDeclaredIsNotTakenBackByARestart() throws {
        var heavy = PublishedSlot.media(10)
        heavy.segments[Channel.video]?.content = .media(ByteBuffer(repeating: 10, count: 1_000_000))
        let restored = try restored(publishing: [heavy] + (11...13).map { .media($0) })
        let presentation = Channel().presentation
        presentation.restore(restored, now: MediaTime(seconds: 56))
        try presentation.publish(.media(14), now: MediaTime(seconds: 60))
        let index = try #require(presentation.resource("index.m3u8", now: MediaTime(seconds: 60)).resource)
        let playlist = try MultivariantPlaylist(parsing: String(buffer: index.body.read()))
        #expect(playlist.variants.map(\.bandwidth) == [2_000_000])
    }

    /// Returns the window that a channel with video alone has journalled.
    private func restored(publishing slots: [PublishedSlot]) throws -> RestoredWindow {
        let recorder = Recorder()
        let presentation = Presentation(configuration: Channel().presentation.configuration, consumers: [recorder])
        presentation.declare(renditions: [.video])
        for slot in slots { try presentation.publish(slot, now: MediaTime(seconds: slot.number.value * 4)) }
        return try #require(recorder.restored)
    }
}

/// A journal in memory, that keeps every change as one.
final class Recorder: PublicationConsumer {
    let name = "recorder"
    let policy = ConsumerPolicy.precedes(within: .seconds(60))
    let interest = Publication.Kinds.slots
    private let state = Mutex<(window: SavedWindow?, bodies: [String: ByteBuffer])>((nil, [:]))

    func take(_ batch: [Publication]) -> ConsumerResult {
        for case .slots(let slots) in batch { take(slots) }
        return .done
    }

    private func take(_ publication: SlotPublication) {
        state.withLock { state in
            if var window = state.window {
                do {
                    let change = try #require(publication.window.change(since: window))
                    try window.apply(change)
                    #expect(window == publication.window)
                } catch {
                    Issue.record(error)
                }
            }
            state.window = publication.window
            state.bodies.merge(publication.bodies) { old, new in
                #expect(old == new)
                return new
            }
        }
    }

    var restored: RestoredWindow? {
        state.withLock { state in state.window.map { RestoredWindow(window: $0, bodies: state.bodies) } }
    }
}

/// Looks at the channel while it is told of the next publication.
private final class Witness: PublicationConsumer {
    let name = "witness"
    let policy = ConsumerPolicy.precedes(within: .seconds(60))
    let interest = Publication.Kinds.slots
    let presentation = Mutex<Presentation?>(nil)
    let seen = Mutex<[Int64]>([])

    func take(_ batch: [Publication]) -> ConsumerResult {
        for case .slots(let slots) in batch { look(at: slots) }
        return .done
    }

    private func look(at publication: SlotPublication) {
        guard let presentation = presentation.withLock({ $0 }), let number = publication.window.lastNumber else {
            return
        }
        #expect(presentation.saved.lastNumber != number)
        #expect(presentation.resource("video-1080p/\(number).m4s", now: .zero) == .notFound(.unknown))
        seen.withLock { $0.append(number.value) }
    }
}

extension PublishedSlot {
    /// Four seconds of video.
    static func media(_ number: Int64, isDiscontinuity: Bool = false) -> PublishedSlot {
        video(number, .media(.numbered(number, count: 1000)), isDiscontinuity)
    }

    static func gap(_ number: Int64, isDiscontinuity: Bool = false) -> PublishedSlot {
        video(number, .gap, isDiscontinuity)
    }

    private static func video(_ number: Int64, _ content: PublishedSegment.Content, _ isDiscontinuity: Bool) -> Self {
        PublishedSlot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: isDiscontinuity,
            segments: [
                Channel.video: PublishedSegment(
                    programDateTime: MediaTime(seconds: number * 4),
                    duration: SegmentDuration(value: 4, timescale: 1),
                    content: content,
                    initialization: .init(name: "init.mp4", bytes: ByteBuffer(string: "init"))
                )
            ]
        )
    }
}

extension Presentation {
    fileprivate func playlist(now: MediaTime) throws -> MediaPlaylist {
        let body = resource("video-1080p.m3u8", now: now).resource?.body.memory
        return try MediaPlaylist(parsing: String(buffer: body ?? ByteBuffer()))
    }
}
