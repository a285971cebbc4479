import Archive
import Testing

@Suite struct JournalHealthTests {
    @Test func onlyNewsIsTold() {
        var health = JournalHealth()
        #expect(health.noted(.records, reason: nil) == nil)
        #expect(health.noted(.records, reason: "full") == .began(.records, reason: "full"))
        #expect(health.noted(.records, reason: "still full") == nil)
        #expect(health.noted(.media, reason: "full") == .began(.media, reason: "full"))
        #expect(health.noted(.records, reason: nil) == .ended(.records))
        #expect(!health.isHealthy)
        #expect(health.noted(.media, reason: nil) == .ended(.media))
        #expect(health.isHealthy)
    }

    @Test(arguments: JournalProblem.allCases)
    func everyProblemHasASentenceForItsBeginningAndItsEnd(problem: JournalProblem) {
        #expect("\(JournalEvent.began(problem, reason: "x"))".hasSuffix(": x"))
        #expect("\(JournalEvent.ended(problem))".hasSuffix("again"))
    }
}
