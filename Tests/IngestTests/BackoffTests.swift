import Testing

@testable import Ingest

@Suite struct BackoffTests {
    @Test func delaysDoubleUpToTheMaximum() {
        var backoff = Backoff()
        let delays = (0..<7).map { _ in backoff.failed(afterRunOf: .zero) }
        #expect(delays == [100, 200, 400, 800, 1600, 2000, 2000].map { .milliseconds($0) })
    }

    @Test func aGoodRunStartsOverAtTheInitialDelay() {
        var backoff = Backoff()
        for _ in 0..<5 { _ = backoff.failed(afterRunOf: .milliseconds(4999)) }
        #expect(backoff.failed(afterRunOf: .seconds(5)) == .milliseconds(100))
        #expect(backoff.failed(afterRunOf: .zero) == .milliseconds(200))
    }
}
