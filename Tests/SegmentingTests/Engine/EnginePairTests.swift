import MediaCore
import Testing

@testable import Segmenting

/// A pair of which one member is started anew while its feeds are whole.
@Suite struct EnginePairTests {
    /// The slot under way when the member joins is told from its first part on, as the peer has told it.
    @Test(arguments: [.slot, .part(duration: EngineRun.partDuration)] as [CommitHorizon], [41, 44, 47] as [Int64])
    func aMemberThatJoinsAgreesFromItsFirstSlotOn(horizon: CommitHorizon, start: Int64) throws {
        for lag in [0, 2, 3] as [Int64] { try join(horizon, start: start, lag: lag) }
    }

    // The lag is the pictures by which key frames of the primary come later than those of its backup.
    private func join(_ horizon: CommitHorizon, start: Int64, lag: Int64) throws {
        var run = EngineRun(seed: 1, clock: .pts, hasOperator: false, hasFaults: false, lag: lag)
        var pair = EnginePair(EngineRun.configuration(.pts, horizon))
        pair.hear(run.opening)
        var newest: MediaSequenceNumber?
        var compared: Set<MediaSequenceNumber> = []
        var differences: [String] = []
        for second in Int64(1)...160 {
            let (inputs, channel) = run.next()
            let now = EngineRun.start + EngineRun.batch * second
            if second == start {
                newest = pair.audits[0].window.newest
                pair.restart(joins: true, run.opening, at: now - EngineRun.batch)
            }
            pair.hear(inputs.joined().sorted(by: { $0.at < $1.at }) + channel)
            if pair.isJoining { pair.hearPeer(at: now) }
            guard second > start else { continue }
            let comparison = pair.compare(from: MediaSequenceNumber(0))
            compared.formUnion(comparison.slots)
            differences += comparison.differences
        }
        #expect(differences.isEmpty, "\(lag): \(differences.first ?? "")")
        let before = try #require(newest)
        let first = try #require(compared.min())
        #expect(first <= before.advanced(by: 4), "\(first) is the first that both have, \(before) was there before")
        #expect(compared.count >= 10, "\(compared.count)")
        #expect(pair.violations.isEmpty, "\(pair.violations.joined(separator: "\n"))")
    }

    /// The second one hears of the first slot while it has parts of the one after it, whose renditions have no names here.
    @Test(arguments: [.slot, .part(duration: EngineRun.partDuration)] as [CommitHorizon], [0, 1, 2] as [Int64])
    func membersThatStartTogetherAgree(horizon: CommitHorizon, phase: Int64) throws {
        var run = EngineRun(seed: 1, clock: .pts, hasOperator: false, hasFaults: false)
        var pair = EnginePair(EngineRun.configuration(.pts, horizon))
        pair.hear(run.opening)
        pair.restart(joins: true, run.opening, at: EngineRun.start)
        var compared: Set<MediaSequenceNumber> = []
        var differences: [String] = []
        for second in Int64(1)...160 {
            let (inputs, channel) = run.next()
            pair.hear(inputs.joined().sorted(by: { $0.at < $1.at }) + channel)
            if pair.isJoining, second % 3 == phase { pair.hearPeer(at: EngineRun.start + EngineRun.batch * second) }
            let comparison = pair.compare(from: MediaSequenceNumber(0))
            compared.formUnion(comparison.slots)
            differences += comparison.differences
        }
        #expect(differences.isEmpty, "\(differences.first ?? "")")
        #expect(compared.count >= 10, "\(compared.count)")
        #expect(pair.violations.isEmpty, "\(pair.violations.joined(separator: "\n"))")
    }
}
