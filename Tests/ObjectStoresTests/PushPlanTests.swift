import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import ObjectStores

/// The order in which things are sent, whatever the order in which a store is done with them.
@Suite struct PushPlanTests {
    /// A store as its readers see it, and requests that it is not done with.
    private struct Simulation {
        var plan: PushPlan
        var objects: [String: String] = [:]
        var underWay: [PushPlan.Action] = []
        var body: @Sendable (String) -> Body? = { _ in nil }
        var generator: SeededGenerator
        /// The share of requests that fail; half of these are heeded nevertheless.
        var failureRate = 0.0
        /// The paths that the store refuses.
        var refused: Set<String> = []
        var now = ContinuousClock.now
        var mostUnderWay = 0

        init(
            _ expiry: PushExpiry = .delete,
            lanes: Int = 4,
            seed: UInt64 = 1,
            mostRefusals: Int? = nil,
            leftoverSlots: Int = 0
        ) {
            plan = PushPlan(expiry: expiry, lanes: lanes, mostRefusals: mostRefusals, leftoverSlots: leftoverSlots)
            generator = SeededGenerator(seed: seed)
        }

        mutating func take(_ publications: [Publication]) {
            for publication in publications {
                if case .window(let snapshot) = publication { body = snapshot.body }
                plan.take(publication, at: now)
            }
            begin()
        }

        mutating func begin() {
            underWay += plan.actions(at: now)
            mostUnderWay = max(mostUnderWay, underWay.count)
        }

        /// Lets one request come to its end.
        mutating func finishOne() {
            let action = underWay.remove(at: .random(in: underWay.indices, using: &generator))
            let fails = Double.random(in: 0..<1, using: &generator) < failureRate || refused.contains(action.path)
            let isHeeded = !fails || (!refused.contains(action.path) && Bool.random(using: &generator))
            let outcome = isHeeded ? heed(action) : .answered(.done, byteCount: 0)
            if fails {
                let problem: StoreProblem =
                    refused.contains(action.path) ? .refused(status: 400, code: nil) : .busy(status: 503, code: nil)
                plan.finish(action, .answered(.failed(problem, retryAfter: nil), byteCount: 0), at: now, chance: 1)
            } else {
                plan.finish(action, outcome, at: now, chance: 1)
            }
            let missing = missingFiles(in: objects)
            #expect(missing.isEmpty, "after \(action.path): \(missing) are named and not there")
            now += .milliseconds(1)
            begin()
        }

        private mutating func heed(_ action: PushPlan.Action) -> PushPlan.Outcome {
            switch action {
            case .read(let path):
                let playlist = objects[path].flatMap { try? MediaPlaylist(parsing: $0) }
                let segments = playlist?.segments ?? []
                return .names(Set(segments.map(\.uri) + segments.compactMap(\.map?.uri)))
            case .find(let path):
                return .answered(objects[path] == nil ? .missing : .alreadyThere, byteCount: 0)
            case .put(let path, .file):
                guard let bytes = try? body(path)?.read() else { return .gone }
                #expect(objects[path].map { $0 == String(buffer: bytes) } ?? true, "\(path) has changed")
                objects[path] = String(buffer: bytes)
                return .answered(.done, byteCount: bytes.readableBytes)
            case .put(let path, .playlist(let playlist)):
                objects[path] = String(buffer: playlist.text)
                return .answered(.done, byteCount: 0)
            case .delete(let path):
                objects[path] = nil
                return .answered(.done, byteCount: 0)
            }
        }

        /// Lets everything come to its end; time passes where there is nothing to do before.
        mutating func finishAll() {
            for _ in 0..<100_000 {
                if !underWay.isEmpty {
                    finishOne()
                } else if let time = plan.wakes(after: now) {
                    now = time
                    begin()
                    if underWay.isEmpty, plan.wakes(after: now) == nil { return }
                } else {
                    return
                }
            }
            Issue.record("it does not come to an end")
        }
    }

    private let publications = Publications()
    private var feed: Feed

    init() {
        feed = Feed(consumers: [publications])
    }

    private mutating func publish(_ count: Int = 1, into simulation: inout Simulation) throws {
        for _ in 0..<count {
            try feed.publish()
            simulation.take(publications.take())
        }
    }

    @Test mutating func whatIsServedIsThere() throws {
        var simulation = Simulation()
        for _ in 0..<20 {
            try publish(into: &simulation)
            simulation.finishAll()
        }
        #expect(!simulation.plan.isBehind && simulation.mostUnderWay == 4)
        #expect(feed.served(simulation.objects.keys) == simulation.objects)
        #expect(simulation.objects.keys.contains("index.m3u8") && simulation.objects.count < 60)
        #expect(simulation.plan.totals.deleted > 0 && simulation.plan.totals.lost == 0)
    }

    /// However requests overtake each other and fail, no playlist names what is not there.
    @Test(arguments: 0..<20) mutating func noPlaylistNamesWhatIsNotThere(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        // Initialization sections that are deleted may be served again.
        feed = Feed(consumers: [publications], initializations: seed % 4 < 2 ? 6 : .max)
        var simulation = Simulation(lanes: .random(in: 1...12, using: &generator), seed: seed)
        simulation.failureRate = seed.isMultiple(of: 2) ? 0.3 : 0
        for _ in 0..<40 {
            try publish(into: &simulation)
            let count = Int.random(in: 0...20, using: &generator)
            for _ in 0..<count where !simulation.underWay.isEmpty { simulation.finishOne() }
            // A store may be slower than the stream.
            simulation.now += .seconds(4)
            simulation.begin()
        }
        simulation.failureRate = 0
        simulation.finishAll()
        #expect(!simulation.plan.isBehind)
        #expect(feed.served(simulation.objects.keys) == simulation.objects)
    }

    /// The initialization section of an encoder comes back, and goes again, before a playlist that names it is replaced.
    @Test mutating func aSectionThatComesBackStaysForAnOlderPlaylist() throws {
        feed = Feed(consumers: [publications], initializations: 6)
        var simulation = Simulation()
        try publish(7, into: &simulation)
        simulation.finishAll()
        // New playlists are not complete.
        simulation.refused = Set((7..<50 as Range<Int64>).map { "\(Feed.video)/\(Feed.firstNumber + $0).m4s" })
        for _ in 0..<40 {
            try publish(into: &simulation)
            simulation.now += .seconds(4)
            simulation.begin()
            while !simulation.underWay.isEmpty { simulation.finishOne() }
        }
        simulation.refused = []
        simulation.finishAll()
        #expect(feed.served(simulation.objects.keys) == simulation.objects)
    }

    @Test mutating func aStoreThatWasAwayGetsWhatIsServed() throws {
        var simulation = Simulation()
        try publish(10, into: &simulation)
        simulation.finishAll()
        let before = simulation.objects
        simulation.failureRate = 1
        let requests = simulation.plan.totals.failures["busy"] ?? 0
        // Ten minutes.
        for _ in 0..<150 {
            try publish(into: &simulation)
            simulation.now += .seconds(4)
            simulation.begin()
            while !simulation.underWay.isEmpty {
                simulation.plan.finish(simulation.underWay.removeFirst(), Self.failure, at: simulation.now, chance: 1)
            }
        }
        #expect(simulation.objects == before)
        #expect((simulation.plan.totals.failures["busy"] ?? 0) - requests < 200)
        // What nobody can want any more is not sent, and what nobody names is not kept in mind.
        #expect(simulation.plan.pending.count < 60 && simulation.plan.files.count < 60)
        simulation.failureRate = 0
        simulation.finishAll()
        #expect(feed.served(simulation.objects.keys) == simulation.objects && !simulation.plan.isBehind)
    }

    /// Half of what fails is heeded: what was stored without an answer goes, too.
    @Test mutating func whatMayBeThereIsDeleted() throws {
        var simulation = Simulation()
        simulation.failureRate = 1
        for _ in 0..<60 {
            try publish(into: &simulation)
            for _ in 0..<20 where !simulation.underWay.isEmpty { simulation.finishOne() }
            simulation.now += .seconds(4)
            simulation.begin()
        }
        #expect(feed.served(simulation.objects.keys) != simulation.objects)
        simulation.failureRate = 0
        simulation.finishAll()
        #expect(feed.served(simulation.objects.keys) == simulation.objects && !simulation.plan.isBehind)
    }

    private static let failure = PushPlan.Outcome.answered(
        .failed(.busy(status: 503, code: nil), retryAfter: nil),
        byteCount: 0
    )

    @Test mutating func whatIsRefusedHoldsUpOnlyPlaylistsThatNameIt() throws {
        var simulation = Simulation()
        try publish(10, into: &simulation)
        simulation.finishAll()
        let path = "\(Feed.audio)/\(feed.number).m4s"
        simulation.refused = [path]
        try publish(into: &simulation)
        for _ in 0..<50 where !simulation.underWay.isEmpty { simulation.finishOne() }
        #expect(simulation.objects["\(Feed.video).m3u8"]?.contains("/\(feed.number - 1).m4s") == true)
        #expect(simulation.objects["\(Feed.audio).m3u8"]?.contains("/\(feed.number - 1).m4s") == false)
        #expect(simulation.plan.pace.lanes == 4)
        simulation.refused = []
        simulation.finishAll()
        #expect(simulation.objects["\(Feed.audio).m3u8"]?.contains("/\(feed.number - 1).m4s") == true)
    }

    /// An earlier process has stored most of it.
    @Test mutating func whatIsThereIsNotSentAgain() throws {
        var first = Simulation()
        try publish(8, into: &first)
        first.finishAll()
        var second = Simulation()
        let other = Publications()
        second.objects = first.objects
        let gone = "\(Feed.video)/\(feed.number - 1).m4s"
        second.objects[gone] = nil
        // Its playlist goes with it here, since no store loses just one object.
        second.objects["\(Feed.video).m3u8"] = nil
        second.objects["index.m3u8"] = nil
        feed.presentation.add(other)
        second.take(other.take())
        second.finishAll()
        #expect(second.plan.totals.alreadyThere > 10)
        #expect(second.objects[gone] != nil)
        #expect(feed.served(second.objects.keys) == second.objects)
    }

    /// What an earlier process served and no longer listed stays as long as viewers may want it, and is deleted then,
    /// even if the later process begins a window of its own.
    @Test(arguments: [0, 20]) func whatAnEarlierProcessLeftIsDeleted(slotsAway: Int) throws {
        let publications = Publications()
        var feed = Feed(consumers: [publications], initializations: 1)
        var first = Simulation()
        try feed.publish(count: 20)
        first.take(publications.take())
        first.finishAll()
        let left = Set(first.objects.keys.filter { $0.hasSuffix(".m4s") })
        #expect(left.count > 2 * 10)
        var second = Simulation(leftoverSlots: 16)
        second.objects = first.objects
        feed.skip(slotsAway)
        feed = feed.continued(consumers: [publications])
        try feed.publish(count: 3)
        second.take(publications.take())
        second.finishAll()
        #expect(left.subtracting(second.objects.keys).isEmpty)
        try feed.publish(count: 16)
        second.take(publications.take())
        second.finishAll()
        #expect(feed.served(second.objects.keys) == second.objects)
        #expect(!second.plan.isBehind && second.plan.leftovers == nil)
    }

    /// A later process deletes none of the segments that an earlier one kept.
    @Test func whatAnEarlierProcessKeptStays() throws {
        let publications = Publications()
        var feed = Feed(consumers: [publications], initializations: 1)
        var first = Simulation(.keep)
        try feed.publish(count: 20)
        first.take(publications.take())
        first.finishAll()
        let kept = Set(first.objects.keys)
        #expect(kept.count > 2 * 10)
        var second = Simulation(.keep, leftoverSlots: 16)
        second.objects = first.objects
        feed = feed.continued(consumers: [publications])
        try feed.publish(count: 30)
        second.take(publications.take())
        second.finishAll()
        #expect(kept.subtracting(second.objects.keys).isEmpty && second.plan.totals.deleted == 0)
        #expect(!second.plan.isBehind)
    }

    /// Before its playlists are read, nothing is sent.
    @Test mutating func aStoreThatIsAwayFromTheBeginningFillsNoQueue() throws {
        var simulation = Simulation()
        let other = Publications()
        try feed.publish(count: 8)
        feed.presentation.add(other)
        for _ in 0..<150 {
            try feed.publish()
            simulation.take(other.take())
            simulation.now += .seconds(4)
            simulation.begin()
            while !simulation.underWay.isEmpty {
                simulation.plan.finish(simulation.underWay.removeFirst(), Self.failure, at: simulation.now, chance: 1)
            }
            // The files of two slots may have expired since the queue was looked through.
            #expect(simulation.plan.queue.count <= 2 * simulation.plan.files.count + 12)
        }
        #expect(simulation.objects.isEmpty)
        simulation.finishAll()
        #expect(feed.served(simulation.objects.keys) == simulation.objects && !simulation.plan.isBehind)
    }

    @Test mutating func delaysAreFromPublicationToPlaylist() throws {
        var simulation = Simulation()
        try publish(into: &simulation)
        simulation.finishAll()
        let count = simulation.plan.totals.delay.counts.reduce(0, +)
        // One for each rendition.
        #expect(count == 2)
        try feed.publish()
        let waiting = publications.take()
        simulation.take(waiting)
        simulation.now += .milliseconds(700)
        simulation.finishAll()
        #expect(simulation.plan.totals.delay.counts.reduce(0, +) == 4)
        #expect(simulation.plan.totals.delay.counts[4] == 2, "\(simulation.plan.totals.delay.counts)")
    }

    /// A job is done without what the store refuses again and again, be it a segment or a playlist, and knows of it.
    @Test(arguments: [PushExpiry.delete, .keep], ["video-1080p/10000001.m4s", "video-1080p.m3u8"])
    func aJobGivesUpWhatIsRefused(expiry: PushExpiry, path: String) throws {
        let publications = Publications()
        var feed = Feed(consumers: [publications])
        var simulation = Simulation(expiry, mostRefusals: 5)
        simulation.refused = [path]
        try feed.publish(count: 4)
        simulation.take(publications.take())
        let start = simulation.now
        for _ in 0..<10_000 where simulation.plan.isBehind {
            if simulation.underWay.isEmpty {
                simulation.now = simulation.plan.wakes(after: simulation.now) ?? simulation.now + .seconds(1)
                simulation.begin()
            } else {
                simulation.finishOne()
            }
        }
        #expect(!simulation.plan.isBehind && simulation.plan.totals.lost == 1)
        #expect(simulation.now - start < .seconds(60))
        #expect(simulation.objects["audio-en.m3u8"] != nil && simulation.objects["video-1080p.m3u8"] == nil)
        #expect(simulation.objects["video-1080p/10000002.m4s"] != nil)
    }

    /// A store that is forbidden counts as lost only for a time without any other answer.
    @Test func setbacksEndWithAnythingElse() {
        var operatorFailures = PushPlan.OperatorFailures()
        let now = ContinuousClock.now
        operatorFailures.note(at: now)
        #expect(operatorFailures.duration == .zero)
        operatorFailures.note(at: now + .seconds(61))
        #expect(operatorFailures.duration == .seconds(61))
        operatorFailures.end()
        operatorFailures.note(at: now + .seconds(100))
        #expect(operatorFailures.duration == .zero)
    }
}
