import MediaCore
import Operations
import Testing

@testable import Assets

@Suite struct AssetScheduleTests {
    private let schedule = AssetSchedule()
    private let now = MadeMedia.time(10_000)
    private let recorded = MadeMedia.time(0)..<MadeMedia.time(10_000)

    private func request(_ from: Double?, _ to: Double?, _ programme: ProgrammeChoice? = nil) -> AssetRequest {
        var request = AssetRequest()
        request.from = from.map { Timestamp(MadeMedia.time($0)) }
        request.to = to.map { Timestamp(MadeMedia.time($0)) }
        request.programme = programme
        return request
    }

    private func record(_ id: String, to: Double?, state: AssetRecord.State = .waiting) -> AssetRecord {
        let programme: ProgrammeChoice? = to == nil ? .event(1) : nil
        var record = AssetRecord(id: id, request: request(0, to, programme), posted: now)
        record.state = state
        return record
    }

    private func refusal(_ request: AssetRequest, among assets: [AssetRecord] = []) -> AssetRefusal? {
        do throws(AssetRefusal) {
            try schedule.check(request, among: assets, recorded: recorded, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test func timesAreBounded() {
        #expect(refusal(request(0, 60)) == nil)
        #expect(refusal(request(60, 60)) == .backwards)
        #expect(refusal(request(60, 0)) == .backwards)
        #expect(refusal(request(0, 86_400)) == nil)
        #expect(refusal(request(0, 86_401)) == .tooLong(hours: 24))
        #expect(refusal(request(96_000, 96_500)) == .tooFar(hours: 24))
        #expect(refusal(request(0, nil)) == .incomplete)
        #expect(refusal(request(nil, nil, .event(1))) == nil)
        guard case .outside? = refusal(request(-200, -100)) else {
            Issue.record("what is not recorded any more is taken on")
            return
        }
    }

    @Test func aFloodOfRequestsIsBounded() {
        let ready = (0..<1000).map { record("\($0)", to: 1, state: .ready) }
        #expect(refusal(request(0, 60), among: ready) == .tooMany(1000))
        #expect(refusal(request(0, 60), among: ready.dropLast()) == nil)
        let waiting = (0..<16).map { record("\($0)", to: 1) }
        #expect(refusal(request(0, 60), among: waiting) == .tooManyWaiting(16))
    }

    @Test func anAssetIsMadeOnceItsEndIsRecorded() {
        let assets = [record("b", to: 10_002), record("a", to: 10_001)]
        func next(_ recorded: Double, _ now: Double) -> AssetSchedule.Action? {
            let recorded = MadeMedia.time(0)..<MadeMedia.time(recorded)
            return schedule.next(among: assets, ends: [:], recorded: recorded, now: MadeMedia.time(now))
        }
        #expect(next(10_000, 10_000) == nil)
        #expect(next(10_001, 10_001) == .make(id: "a"))
        #expect(next(10_004, 10_004) == .make(id: "a"))
        // Slots that do not come are not waited for without end.
        #expect(next(10_000, 10_060.9) == nil)
        #expect(next(10_000, 10_061) == .make(id: "a"))
    }

    @Test func nobodyIsAheadOfTheViewersOfADelayedChannel() {
        var schedule = schedule
        schedule.delay = MediaTime(seconds: 3600)
        let assets = [record("a", to: 9000), record("b", to: nil)]
        func next(_ now: Double) -> AssetSchedule.Action? {
            let ends = ["b": MadeMedia.time(9001)]
            return schedule.next(among: assets, ends: ends, recorded: recorded, now: MadeMedia.time(now))
        }
        #expect(next(10_000) == nil)
        #expect(next(12_599.9) == nil)
        #expect(next(12_600) == .make(id: "a"))
        let programme = schedule.next(
            among: [assets[1]],
            ends: ["b": MadeMedia.time(9001)],
            recorded: recorded,
            now: MadeMedia.time(12_600)
        )
        #expect(programme == nil)
    }

    @Test func aProgrammeWaitsUntilItsEndIsTold() {
        let assets = [record("a", to: nil)]
        #expect(schedule.next(among: assets, ends: [:], recorded: recorded, now: now) == nil)
        let later = now + MediaTime(seconds: 86_400)
        #expect(schedule.next(among: assets, ends: [:], recorded: recorded, now: later) == .make(id: "a"))
        #expect(schedule.next(among: assets, ends: [:], recorded: recorded, now: later - MediaTime(ticks: 1)) == nil)
        let ends = ["a": MadeMedia.time(9000)]
        #expect(schedule.next(among: assets, ends: ends, recorded: recorded, now: now) == .make(id: "a"))
    }

    @Test func whatHasExpiredGoesFirst() {
        var old = record("old", to: 1, state: .ready)
        old.expires = Timestamp(now)
        let assets = [record("a", to: 1), old]
        #expect(schedule.next(among: assets, ends: [:], recorded: recorded, now: now) == .remove(id: "old"))
    }

    @Test func whatIsReadyOrHasFailedIsLeftAlone() {
        let assets = [record("a", to: 1, state: .ready), record("b", to: 1, state: .failed)]
        #expect(schedule.next(among: assets, ends: [:], recorded: recorded, now: now) == nil)
    }
}
