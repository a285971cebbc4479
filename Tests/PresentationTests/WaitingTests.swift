import MediaCore
import NIOCore
import NIOEmbedded
import Playlists
import Synchronization
import Testing

@testable import Presentation

/// Requests that wait for a channel's publications (RFC 8216bis § 6.2.5.2).
@Suite struct WaitingTests {
    /// Requests that are answered on one event loop.
    private final class Requests: Sendable {
        let eventLoop = EmbeddedEventLoop()
        let isFailing = Mutex(false)
        private let answered = Mutex<[String]>([])

        /// Has a request wait; nil if there is no room for it.
        func wait(
            _ name: String,
            for condition: PlaylistCondition,
            in presentation: Presentation,
            patience: TimeAmount = .seconds(18)
        ) -> WaitingRequests.Ticket? {
            presentation.wait(
                for: condition,
                of: 1,
                patience: patience,
                on: eventLoop,
                unless: { self.isFailing.withLock { $0 } }
            ) {
                self.answered.withLock { $0.append(name) }
            }
        }

        func pass(_ time: TimeAmount) { eventLoop.advanceTime(by: time) }

        /// Takes the names of those that were answered since the last call.
        func take() -> [String] {
            eventLoop.run()
            return answered.withLock { answered in
                defer { answered = [] }
                return answered.sorted()
            }
        }
    }

    /// A channel with parts of a second.
    private static func channel(maximumWaiting: Int = 100) -> Channel {
        var configuration = Presentation.Configuration(
            name: "live",
            targetDuration: 6,
            segmentDuration: MediaTime(seconds: 4),
            windowDuration: MediaTime(seconds: 24),
            maximumBytes: 1_000_000_000,
            partTarget: MediaTime(seconds: 1)
        )
        configuration.maximumWaiting = maximumWaiting
        let presentation = Presentation(configuration: configuration)
        presentation.declare(renditions: [.video, .audio])
        return Channel(presentation)
    }

    private static func part(_ number: Int64, _ index: Int, isGap: Bool = false) -> PublishedPart {
        PublishedPart(
            number: MediaSequenceNumber(number),
            index: index,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: index == 0,
            content: isGap ? .gap : .media(ByteBuffer(string: "part \(index)"))
        )
    }

    private static func position(_ number: Int64, _ part: Int? = nil) -> PlaylistPosition {
        PlaylistPosition(MediaSequenceNumber(number), part: part)
    }

    private static let first = Channel.firstNumber

    @Test func eachIsAnsweredByThePublicationThatItWaitsFor() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        #expect(presentation.reload(Channel.video, at: Self.position(Self.first)) == .ready)
        #expect(presentation.reload(Channel.video, at: Self.position(Self.first + 3)) == .tooFar)
        #expect(presentation.reload("radio", at: Self.position(Self.first + 3)) == .ready)
        for (id, number, part) in [
            (Channel.video, 1, 0), (Channel.video, 1, 1), (Channel.video, 1, nil), (Channel.video, 2, nil),
            (Channel.audio, 1, 0), (Channel.audio, 1, nil),
        ] as [(RenditionID, Int64, Int?)] {
            guard case .waiting(let condition) = presentation.reload(id, at: Self.position(Self.first + number, part))
            else {
                Issue.record("\(id) \(number) waits")
                continue
            }
            let name = "\(id) \(number) \(part.map(String.init) ?? "-")"
            #expect(requests.wait(name, for: condition, in: presentation) != nil)
        }
        #expect(requests.take() == [])
        try presentation.publish(Self.part(Self.first + 1, 0), of: Channel.video)
        #expect(requests.take() == ["video-1080p 1 0"])
        try presentation.publish(Self.part(Self.first + 1, 0, isGap: true), of: Channel.audio)
        #expect(requests.take() == ["audio-en 1 0"])
        try presentation.publish(Self.part(Self.first + 1, 1), of: Channel.video)
        #expect(requests.take() == ["video-1080p 1 1"])
        try channel.publish()
        #expect(requests.take() == ["audio-en 1 -", "video-1080p 1 -"])
        presentation.end(now: channel.now)
        #expect(requests.take() == ["video-1080p 2 -"])
        #expect(presentation.waiters.count == 0)
        #expect(presentation.reload(Channel.video, at: Self.position(Self.first + 9)) == .ready)
        #expect(throws: PartError.ended) {
            try presentation.publish(Self.part(Self.first + 2, 0), of: Channel.video)
        }
    }

    /// Safari asks for the next segment without a part when it has seen the end of one, and for the hinted part.
    @Test func aSegmentIsWaitedForAsAWholeWhileItsPartsAreThere() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let next = Self.position(Self.first + 1)
        guard case .waiting(let segment) = presentation.reload(Channel.video, at: next),
            case .waiting(let part) = presentation.part(Channel.video, at: Self.position(Self.first + 1, 0))
        else {
            Issue.record("both wait")
            return
        }
        #expect(requests.wait("segment", for: segment, in: presentation) != nil)
        #expect(requests.wait("part", for: part, in: presentation) != nil)
        try presentation.publish(Self.part(Self.first + 1, 0), of: Channel.video)
        #expect(requests.take() == ["part"])
        for index in 1..<4 { try presentation.publish(Self.part(Self.first + 1, index), of: Channel.video) }
        #expect(requests.take() == [])
        try channel.publish()
        #expect(requests.take() == ["segment"])
    }

    @Test func playlistsWithoutPartsAreWaitedForBySegment() throws {
        var channel = Self.channel()
        try channel.publish(count: 1, picture: 0..<10)
        let pictures = Channel.video.iFrames
        func reload(_ number: Int64, _ part: Int? = nil) -> BlockedReload {
            channel.presentation.reload(pictures, at: Self.position(Self.first + number, part))
        }
        #expect(reload(0, 9) == .ready)
        let next = PlaylistCondition.reaches(pictures, Self.position(Self.first + 1))
        #expect([reload(1), reload(1, 0), reload(1, 99)] == [.waiting(next), .waiting(next), .waiting(next)])
        #expect(reload(3) == .tooFar)
    }

    /// A client that makes up numbers of parts makes nothing new to wait for.
    @Test func partsBeyondTheLastOneAreWaitedForTogether() throws {
        var channel = Self.channel()
        try channel.publish()
        try channel.presentation.publish(Self.part(Self.first + 1, 0), of: Channel.video)
        try channel.publish()
        let next = PlaylistCondition.reaches(Channel.video, Self.position(Self.first + 2, 0))
        for part in [1, 2, 99, Int.max] {
            let reload = channel.presentation.reload(Channel.video, at: Self.position(Self.first + 1, part))
            #expect(reload == .waiting(next))
        }
    }

    @Test func aPartIsWaitedForOnlyIfItIsTheNext() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        func part(_ number: Int64, _ index: Int) -> BlockedReload {
            presentation.part(Channel.video, at: Self.position(Self.first + number, index))
        }
        #expect(part(0, 0) == .tooFar, "nothing is listed")
        try channel.publish()
        try presentation.publish(Self.part(Self.first + 1, 0), of: Channel.video)
        #expect(part(1, 0) == .ready)
        #expect([part(1, 2), part(2, 1), part(9, 0)] == [.tooFar, .tooFar, .tooFar])
        #expect([part(0, 0), part(-5, 3)] == [.never, .never])
        let hinted = PlaylistCondition.decides(Channel.video, Self.position(Self.first + 1, 1))
        #expect(part(1, 1) == .waiting(hinted))
        #expect(requests.wait("a", for: hinted, in: presentation) != nil)
        // The segment is over without it.
        try channel.publish()
        #expect(requests.take() == ["a"])
        #expect(part(1, 1) == .never)
        presentation.end(now: channel.now)
        #expect([part(2, 0), part(1, 0)].contains(.tooFar) == false)
    }

    @Test func aRequestThatIsStoppedIsNotAnswered() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let next = try #require(presentation.nextSlot(of: Channel.video))
        let ticket = try #require(requests.wait("a", for: next, in: presentation))
        #expect(requests.wait("b", for: next, in: presentation) != nil)
        presentation.stopWaiting(ticket)
        try channel.publish()
        #expect(requests.take() == ["b"])
        // It is known no more.
        presentation.stopWaiting(ticket)
        #expect(presentation.waiters.count == 0)
    }

    @Test func noMoreWaitThanAreConfigured() throws {
        var channel = Self.channel(maximumWaiting: 5)
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let next = try #require(presentation.nextSlot(of: Channel.audio))
        let tickets = (0..<5).map { requests.wait("\($0)", for: next, in: presentation) }
        #expect(tickets.map { $0 != nil } == [true, true, true, false, false])
        if case let ticket?? = tickets.first { presentation.stopWaiting(ticket) }
        #expect(requests.wait("5", for: next, in: presentation) != nil)
        try channel.publish()
        #expect(requests.take() == ["1", "2", "5"])
    }

    /// What was published between the question and the wait is not waited for.
    @Test func aConditionThatIsMetIsNotWaitedFor() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let next = try #require(presentation.nextSlot(of: Channel.video))
        try channel.publish()
        #expect(requests.wait("a", for: next, in: presentation) != nil)
        #expect(requests.take() == ["a"])
        presentation.end(now: channel.now)
        #expect(presentation.nextSlot(of: Channel.video) == nil)
    }

    /// A channel that stands still says nothing.
    @Test func patienceHasAnEnd() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let next = try #require(presentation.nextSlot(of: Channel.video))
        #expect(requests.wait("a", for: next, in: presentation) != nil)
        requests.pass(.seconds(9))
        #expect(requests.wait("b", for: next, in: presentation) != nil)
        #expect(requests.wait("c", for: .startable, in: presentation, patience: .seconds(30)) != nil)
        requests.pass(.milliseconds(8_999))
        #expect(requests.take() == [])
        requests.pass(.milliseconds(251))
        #expect(requests.take() == ["a"])
        requests.pass(.seconds(9))
        #expect(requests.take() == ["b"])
        requests.pass(.seconds(13))
        #expect(requests.take() == ["c"])
        // Another one is looked after as well.
        #expect(requests.wait("d", for: next, in: presentation) != nil)
        requests.pass(.seconds(19))
        #expect(requests.take() == ["d"])
    }

    @Test func nobodyWaitsForAChannelThatFails() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let next = try #require(presentation.nextSlot(of: Channel.video))
        #expect(requests.wait("a", for: next, in: presentation) != nil)
        requests.pass(.seconds(5))
        #expect(requests.take() == [])
        requests.isFailing.withLock { $0 = true }
        requests.pass(PlaylistWaiters.interval)
        #expect(requests.take() == ["a"])
    }

    /// A rendition that has left is not waited for, nor is anything once another presentation is there.
    ///
    /// One that has stopped may still be continued elsewhere.
    @Test func whatWillNeverComeIsNotWaitedFor() throws {
        var channel = Self.channel()
        let (presentation, requests) = (channel.presentation, Requests())
        try channel.publish()
        let later = PlaylistCondition.reaches(Channel.audio, Self.position(Self.first + 2))
        #expect(requests.wait("audio", for: later, in: presentation) != nil)
        presentation.declare(renditions: [.video])
        try channel.publish([Channel.video])
        #expect(requests.take() == ["audio"])
        // A window that begins anew begins with a whole slot.
        try channel.leap(to: Self.first + 1000)
        try channel.publish([Channel.video])
        #expect(throws: PartError.self) { try presentation.publish(Self.part(Self.first + 2, 0), of: Channel.video) }
        try presentation.publish(Self.part(Self.first + 1001, 0), of: Channel.video)
        let next = try #require(presentation.nextSlot(of: Channel.video))
        #expect(requests.wait("video", for: next, in: presentation) != nil)
        presentation.stop()
        #expect(requests.take() == [])
        presentation.endWaits()
        #expect(requests.take() == ["video"])
        #expect(requests.wait("late", for: next, in: presentation) == nil)
    }
}
