import MediaCore
import Testing

@testable import Segmenting

@Suite struct AbsenceWatchTests {
    private func second(_ value: Int64) -> MediaTime { MediaTime(seconds: value) }

    @Test func anInputThatIsSilentIsSaidToBeWaitedForLessAndLessOften() {
        var watch = AbsenceWatch()
        watch.began(at: second(100))
        let news = (100..<8000).compactMap { watch.timeAdvanced(to: second($0)) }
        #expect(news == [5, 30, 120, 600, 1800, 3600, 5400, 7200].map { .waiting(seconds: $0, reason: nil) })
    }

    @Test func eachReasonIsSaidOnceAndRemembered() {
        var watch = AbsenceWatch()
        watch.began(at: second(0))
        #expect(watch.failed("refused", at: second(0)) == .failed(reason: "refused"))
        #expect(watch.failed("refused", at: second(1)) == nil)
        #expect(watch.failed("unreachable", at: second(2)) == .failed(reason: "unreachable"))
        #expect(watch.failed("refused", at: second(3)) == nil)
        #expect(watch.timeAdvanced(to: second(5)) == .waiting(seconds: 5, reason: "refused"))
    }

    @Test func whatIsThereIsNotWaitedFor() {
        var watch = AbsenceWatch()
        #expect(watch.timeAdvanced(to: second(1000)) == nil)
        watch.began(at: second(1000))
        watch.began(at: second(1004))
        #expect(watch.ended() == second(1000))
        #expect(watch.ended() == nil)
        #expect(watch.timeAdvanced(to: second(2000)) == nil)
        watch.began(at: second(2000))
        #expect(watch.failed("refused", at: second(2001)) == .failed(reason: "refused"), "it is news again")
    }
}
