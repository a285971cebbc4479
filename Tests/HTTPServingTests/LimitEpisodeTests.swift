import Testing

@testable import HTTPServing

@Suite struct LimitEpisodeTests {
    @Test func manyConnectionsAreOneEpisode() {
        var episode = LimitEpisode()
        #expect(episode.reached(at: 100) == .began)
        for second in 101..<200 as Range<Int64> {
            #expect(episode.reached(at: second) == nil)
            #expect(episode.check(at: second) == nil)
        }
        #expect(episode.check(at: 199 + LimitEpisode.patience - 1) == nil)
        #expect(episode.check(at: 199 + LimitEpisode.patience) == .ended(count: 100))
        #expect(episode.check(at: 1000) == nil)
        #expect(episode.reached(at: 1001) == .began)
        #expect(episode.check(at: 2000) == .ended(count: 1))
        #expect(episode.total == 101)
    }
}
