import EventDelivery
import Operations
import Testing

@testable import Hosting

/// Events that are not kept on disk, or that a webhook does not take.
@Suite struct EventWatchTests {
    private let log = LogLines()
    private let events = EventLog()

    private var watch: EventWatch { EventWatch(events: events, clock: StoppedClock(), logger: log.logger) }

    @Test(arguments: [
        EventStoreEvent.began(reason: "no space"), .setAside(path: "events.sqlite.1", reason: "malformed"),
    ])
    func troubleOfTheDiskSaysWhatToDo(news: EventStoreEvent) throws {
        watch.note(news)
        let line = try #require(log.all.first)
        #expect(
            line.hasPrefix("warning event") && line.contains(" do=") && line.contains(" viewers=they notice nothing")
        )
        #expect(line.hasSuffix("what=\(news)"), "\(line)")
        let event = try #require(events.entries().first?.event)
        #expect(event.kind == .events && event.severity == .warning && event.message == "\(news)")
    }

    @Test(arguments: [WebhookEvent.began(reason: "503"), .refuses(reason: "400"), .missed(7), .gone])
    func troubleOfAWebhookSaysWhatToDo(news: WebhookEvent) throws {
        watch.note(news, of: "pager")
        let line = try #require(log.all.first)
        #expect(line.hasPrefix("warning webhook takes no events do="), "\(line)")
        #expect(line.contains(" viewers=they notice nothing ") && line.contains(" webhook=pager"), "\(line)")
        let event = try #require(events.entries().first?.event)
        #expect(event.kind == .webhook && event.severity == .warning && event.message == "pager \(news)")
    }

    @Test func endsHaveNothingToMend() {
        watch.note(.ended(lost: 0))
        watch.note(.ended(lost: 2), of: "pager")
        #expect(log.all.count == 2)
        #expect(log.all.allSatisfy { $0.hasPrefix("notice ") && !$0.contains("do=") && !$0.contains("viewers=") })
        #expect(events.entries().map(\.event.severity) == [.info, .info])
    }
}
