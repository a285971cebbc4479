import MediaCore
import NIOCore
import NIOEmbedded
import Playlists
import Synchronization
import Testing

@testable import Presentation

/// Decisions about requests that wait, of which there may be many.
@Suite struct WaitingRequestsTests {
    private static func condition(_ number: Int64, of id: RenditionID = Channel.video) -> PlaylistCondition {
        .reaches(id, PlaylistPosition(MediaSequenceNumber(number)))
    }

    private static func seconds(_ count: Int64) -> NIODeadline { NIODeadline.uptimeNanoseconds(0) + .seconds(count) }

    private static func request(
        on eventLoop: any EventLoop,
        of client: Int = 0,
        until deadline: NIODeadline = .distantFuture,
        _ call: @escaping @Sendable () -> Void = {}
    ) -> WaitingRequests.Request {
        WaitingRequests.Request(client: client, eventLoop: eventLoop, deadline: deadline, call: call)
    }

    /// However many are released, each event loop is woken once.
    @Test func tenThousandOfTwoEventLoopsAreReleasedByTwoHops() {
        let loops = [EmbeddedEventLoop(), EmbeddedEventLoop()]
        let answered = Mutex<Set<Int>>([])
        var waiting = WaitingRequests(capacity: 10_000)
        for number in 0..<10_000 {
            let request = Self.request(on: loops[number % 2], of: number % 2) {
                _ = answered.withLock { $0.insert(number) }
            }
            #expect(waiting.add(request, until: Self.condition(1)) { false } != nil)
        }
        #expect(waiting.add(Self.request(on: loops[0], of: 2), until: Self.condition(2)) { false } == nil)
        #expect(waiting.release(.rendition(Channel.audio)) { _ in true }.isEmpty)
        #expect(waiting.release(.rendition(Channel.video)) { _ in false }.isEmpty)
        #expect(waiting.count == 10_000)
        let releases = waiting.release(.rendition(Channel.video)) { $0 == Self.condition(1) }
        #expect(releases.count == 2)
        #expect(releases.map(\.calls.count) == [5_000, 5_000])
        #expect(Set(releases.map { ObjectIdentifier($0.eventLoop) }) == Set(loops.map { ObjectIdentifier($0) }))
        #expect(waiting.count == 0)
        for call in releases.flatMap(\.calls) { call() }
        #expect(answered.withLock { $0.count } == 10_000, "each is called once")
    }

    /// The number of questions depends on what is waited for, not on how many do.
    @Test func eachConditionIsAskedAboutOnce() {
        let eventLoop = EmbeddedEventLoop()
        var waiting = WaitingRequests(capacity: 12_000)
        for number in 0..<6_000 {
            _ = waiting.add(Self.request(on: eventLoop), until: Self.condition(Int64(number % 3))) { false }
        }
        var asked = 0
        let releases = waiting.release(nil) { condition in
            asked += 1
            return condition != Self.condition(2)
        }
        #expect(asked == 3)
        #expect(releases.map(\.calls.count) == [4_000])
        #expect(waiting.count == 2_000)
    }

    /// A client with many connections leaves half of the places to others.
    @Test func oneClientLeavesPlacesToOthers() throws {
        let eventLoop = EmbeddedEventLoop()
        var waiting = WaitingRequests(capacity: 8)
        func add(_ client: Int, _ slot: Int64, until deadline: NIODeadline = .distantFuture) -> WaitingRequests.Ticket?
        {
            waiting.add(Self.request(on: eventLoop, of: client, until: deadline), until: Self.condition(slot)) { false }
        }
        let own = [add(1, 1), add(1, 1), add(1, 2, until: Self.seconds(1)), add(1, 3)].compactMap(\.self)
        #expect(own.count == 4 && add(1, 4) == nil, "half of the places")
        #expect(add(2, 1) != nil)
        // A place comes back however the wait ends.
        waiting.remove(own[3])
        #expect(add(1, 3) != nil && add(1, 3) == nil)
        #expect(waiting.expire(at: Self.seconds(2)).count == 1)
        #expect(add(1, 3) != nil && add(1, 3) == nil)
        #expect(waiting.release(nil) { $0 == Self.condition(1) }.map(\.calls.count) == [3])
        #expect(add(1, 3) != nil && add(1, 3) != nil && add(1, 3) == nil)
        #expect(waiting.count == 4)
    }

    @Test func whoLeavesIsNotReleased() {
        let eventLoop = EmbeddedEventLoop()
        var waiting = WaitingRequests(capacity: 6)
        let tickets = (0..<3).compactMap { _ in
            waiting.add(Self.request(on: eventLoop), until: Self.condition(1)) { false }
        }
        #expect(tickets.count == 3)
        waiting.remove(tickets[1])
        waiting.remove(tickets[1])
        #expect(waiting.count == 2)
        #expect(waiting.release(nil) { _ in true }.map(\.calls.count) == [2])
        // These are being released already.
        for ticket in tickets { waiting.remove(ticket) }
        #expect(waiting.count == 0)
        // A later request for the same is not taken for one of them.
        let later = waiting.add(Self.request(on: eventLoop), until: Self.condition(1)) { false }
        for ticket in tickets { waiting.remove(ticket) }
        #expect(waiting.count == 1)
        if let later { waiting.remove(later) }
        #expect(waiting.count == 0)
    }

    @Test func patienceEndsForEachByItself() {
        let eventLoop = EmbeddedEventLoop()
        var waiting = WaitingRequests(capacity: 10)
        for second in [3, 1, 2, 9] as [Int64] {
            let request = Self.request(on: eventLoop, until: Self.seconds(second))
            _ = waiting.add(request, until: Self.condition(second % 2)) { false }
        }
        let expired = (0...10).map { waiting.expire(at: Self.seconds($0)).reduce(0) { $0 + $1.calls.count } }
        #expect(expired == [0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0])
        #expect(waiting.count == 0)
    }

    @Test func thoseThatAreNotToWaitAnyMoreGo() {
        let eventLoop = EmbeddedEventLoop()
        var waiting = WaitingRequests(capacity: 10)
        for _ in 0..<2 { _ = waiting.add(Self.request(on: eventLoop), until: Self.condition(1)) { true } }
        _ = waiting.add(Self.request(on: eventLoop), until: .startable) { false }
        #expect(waiting.expire(at: Self.seconds(0)).map(\.calls.count) == [2])
        #expect(waiting.count == 1)
    }
}
