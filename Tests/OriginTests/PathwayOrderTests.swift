import MediaCore
import Testing

@testable import Origin

/// The order in which players are to use pathways.
@Suite struct PathwayOrderTests {
    /// Two pathways that have done well, and are observed second by second.
    private struct Watched {
        var order = PathwayOrder(count: 2, probation: MediaTime(seconds: 30))
        var second: Int64 = 0

        init(areKnown: Bool = true) {
            if areKnown { for pathway in [0, 1] { see(.health(100), of: pathway) } }
        }

        var indices: [Int] { order.indices.map(\.value) }

        /// - Returns: The condition that one has from now on, where that changes.
        @discardableResult
        mutating func see(_ observation: PathwayOrder.Observation, of pathway: Int = 0) -> PathwayCondition? {
            change(observation, of: pathway)?.condition
        }

        mutating func change(_ observation: PathwayOrder.Observation, of pathway: Int) -> PathwayOrder.Change? {
            second += 1
            return order.observed(observation, of: PathwayIndex(pathway), at: MediaTime(seconds: second))
        }
    }

    @Test func theConfiguredOrderHoldsWhileAllDoWell() {
        var watched = Watched()
        #expect(watched.indices == [0, 1])
        for health in [100, 90, 75, 100] { #expect(watched.see(.health(health)) == nil) }
        #expect(watched.see(.health(100), of: 1) == nil && watched.indices == [0, 1])
    }

    @Test func unhealthyPathwayGoesBackAtOnce() {
        var watched = Watched()
        #expect(watched.see(.health(74)) == .poor)
        #expect(watched.indices == [1, 0])
        #expect(watched.see(.health(10)) == nil)
    }

    /// A connection may be lost by accident.
    @Test func silentPathwayGoesBackTheSecondTime() {
        var watched = Watched()
        #expect(watched.see(.nothing) == nil && watched.indices == [0, 1])
        #expect(watched.see(.health(100)) == nil)
        #expect(watched.see(.nothing) == nil && watched.indices == [0, 1])
        #expect(watched.see(.nothing) == .dead && watched.indices == [1, 0])
        #expect(watched.see(.nothing) == nil)
    }

    @Test func pathwayComesBackAfterItsProbation() {
        var watched = Watched()
        watched.see(.health(0))
        for _ in 0..<30 { #expect(watched.see(.health(90)) == nil && watched.indices == [1, 0]) }
        #expect(watched.see(.health(90)) == .well && watched.indices == [0, 1])
    }

    /// A health between the two limits is no reason to move anybody, in either direction.
    @Test(arguments: [PathwayOrder.Observation.health(89), .health(75), .nothing])
    func interruptionRestartsTheProbation(interruption: PathwayOrder.Observation) {
        var watched = Watched()
        watched.see(.health(0))
        for _ in 0..<29 { watched.see(.health(100)) }
        #expect(watched.see(interruption) == nil)
        for _ in 0..<30 { #expect(watched.see(.health(100)) == nil) }
        #expect(watched.see(.health(100)) == .well)
    }

    @Test func deadPathwayIsPoorDuringItsProbation() {
        var watched = Watched()
        watched.see(.nothing)
        watched.see(.nothing)
        #expect(watched.see(.health(100)) == .poor)
        for _ in 0..<29 { #expect(watched.see(.health(100)) == nil) }
        #expect(watched.see(.health(100)) == .well)
    }

    /// A pathway that was never healthy is used as soon as it is.
    @Test func newPathwayNeedsNoProbation() {
        var watched = Watched(areKnown: false)
        watched.see(.nothing)
        #expect(watched.see(.nothing) == .dead)
        #expect(watched.see(.health(80)) == .poor)
        #expect(watched.see(.health(90)) == .well && watched.indices == [0, 1])
        #expect(watched.see(.health(0)) == .poor)
        #expect(watched.see(.health(100)) == nil, "from now on as others")
    }

    @Test func theLeastBadComesFirst() {
        var watched = Watched()
        watched.see(.health(0), of: 0)
        watched.see(.health(50), of: 1)
        #expect(watched.indices == [0, 1], "badly is badly: nobody moves for some points")
        watched.see(.nothing, of: 0)
        watched.see(.nothing, of: 0)
        #expect(watched.indices == [1, 0])
        watched.see(.nothing, of: 1)
        watched.see(.nothing, of: 1)
        #expect(watched.indices == [0, 1])
    }

    /// Nobody moves from a place that is still the best, or to one that does not answer.
    @Test func playersStayWhereNoOtherPathwayIsBetter() {
        var watched = Watched()
        #expect(watched.change(.health(0), of: 1)?.hasSubstitute == true)
        #expect(watched.change(.health(0), of: 0)?.hasSubstitute == false)
        watched.see(.nothing, of: 0)
        #expect(watched.change(.nothing, of: 0)?.hasSubstitute == true, "the other one is unhealthy, but answers")
        watched.see(.nothing, of: 1)
        #expect(watched.change(.nothing, of: 1)?.hasSubstitute == false)
    }

    /// Players are moved once, though the pathway wavers every ten seconds for an hour.
    @Test func waveringPathwayMovesPlayersOnce() {
        var watched = Watched()
        var changes = 0
        for second in 0..<3600 where watched.see(.health(second % 20 < 10 ? 100 : 60)) != nil { changes += 1 }
        #expect(changes == 1)
    }

    @Test func anUnknownPathwayIsIgnored() {
        var watched = Watched()
        for pathway in [-1, 2, .max] { #expect(watched.see(.nothing, of: pathway) == nil) }
        #expect(watched.indices == [0, 1])
    }
}
