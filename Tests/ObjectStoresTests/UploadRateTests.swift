import Presentation
import Testing

@testable import ObjectStores

/// Channels that are sent below a rate.
@Suite struct UploadRateTests {
    private let start = ContinuousClock.now

    @Test func bytesTakeTheirTime() {
        var rate = UploadRate(bitsPerSecond: 8_000)
        #expect(rate.isLimited && rate.mayBegin(at: start))
        // A second was saved before.
        rate.begin(byteCount: 3_000, at: start)
        #expect(rate.resumesAt == start + .seconds(2))
        #expect(!rate.mayBegin(at: start + .seconds(1)) && rate.mayBegin(at: start + .seconds(2)))
        // One that comes late is made up for, by a second at most.
        rate.begin(byteCount: 1_000, at: start + .milliseconds(2_500))
        #expect(rate.resumesAt == start + .seconds(3))
        rate.begin(byteCount: 2_000, at: start + .seconds(100))
        #expect(rate.resumesAt == start + .seconds(101))
    }

    @Test func withoutARateNothingWaits() {
        var rate = UploadRate(bitsPerSecond: nil)
        rate.begin(byteCount: .max, at: start)
        #expect(!rate.isLimited && rate.mayBegin(at: start) && rate.resumesAt == nil)
    }

    @Test(arguments: [(1, 1 << 36), (10_000_000_000, 1 << 36), (0, 1), (1, 0), (1, -1)])
    func extremesAreCountedWith(bitsPerSecond: Int, byteCount: Int) {
        var rate = UploadRate(bitsPerSecond: bitsPerSecond)
        rate.begin(byteCount: byteCount, at: start)
        #expect(rate.resumesAt.map { $0 > start - .seconds(2) } ?? (byteCount <= 0))
    }

    /// The store answers at once.
    @Test func aPlanSendsNoMoreThanThat() throws {
        let publications = Publications()
        var feed = Feed(consumers: [publications])
        try feed.publish(count: 20)
        var plan = PushPlan(expiry: .delete, lanes: 16, rate: 80)
        for publication in publications.take() { plan.take(publication, at: start) }
        var (now, sent, playlists, spare) = (start, 0, 0, 0)
        while plan.isBehind || !plan.pending.isEmpty {
            let actions = plan.actions(at: now)
            for action in actions {
                switch action {
                case .read: plan.finish(action, .names([]), at: now, chance: 1)
                case .find: plan.finish(action, .answered(.missing, byteCount: 0), at: now, chance: 1)
                case .put(let path, let content):
                    if case .file = content { sent += plan.files[path]?.info.byteCount ?? 0 } else { playlists += 1 }
                    plan.finish(action, .answered(.done, byteCount: 1), at: now, chance: 1)
                case .delete: plan.finish(action, .answered(.done, byteCount: 0), at: now, chance: 1)
                }
            }
            spare = max(spare, plan.spareLanes(at: now))
            // Ten bytes a second, those of a second that was saved, and an object of 20 or so.
            let seconds = Int((now - start).components.seconds) + 2
            #expect(sent <= 10 * seconds + 40, "\(sent) bytes in \(seconds) s")
            if actions.isEmpty {
                guard let next = plan.wakes(after: now) else { break }
                now = next
            }
        }
        #expect(plan.pending.isEmpty && sent > 200 && playlists >= 3)
        // Recordings take one request at a time.
        #expect(spare <= 1)
    }

    /// Recordings share the rate with the stream.
    @Test func bytesOfRecordingsAreCounted() {
        var plan = PushPlan(expiry: .delete, lanes: 16, rate: 8_000)
        #expect(plan.spareLanes(at: start) == 1)
        #expect(plan.beginUpload(byteCount: 3_000, at: start) == nil)
        #expect(plan.spareLanes(at: start) == 0)
        let free = start + .seconds(2)
        #expect(plan.beginUpload(byteCount: 3_000, at: start) == free)
        #expect(plan.wakes(after: start) == free && plan.spareLanes(at: free) == 1)
        #expect(plan.beginUpload(byteCount: 3_000, at: free) == nil)
        var unlimited = PushPlan(expiry: .delete, lanes: 16)
        for _ in 0..<100 { #expect(unlimited.beginUpload(byteCount: 1 << 30, at: start) == nil) }
        #expect(unlimited.spareLanes(at: start) == 4)
    }
}
