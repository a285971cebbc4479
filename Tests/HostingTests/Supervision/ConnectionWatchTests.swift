import HTTPServing
import Logging
import Operations
import Testing

@testable import Hosting

/// Listeners that have as many connections as they may have.
@Suite struct ConnectionWatchTests {
    private static func event(_ listener: String, _ limit: ConnectionLimit, _ news: LimitEpisode.News) -> ChannelEvent?
    {
        let events = EventLog()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ConnectionWatch(listener: listener, events: events, clock: StoppedClock(), logger: logger).note(limit, news)
        return events.entries().first?.event
    }

    @Test(arguments: [
        (ConnectionLimit.displaced, "new ones displace those that were idle for longest."),
        (.full, "and all are in use: new ones are refused."),
        (
            .address,
            "limit of connections to the origin (connections-per-address): its idle ones are closed, or its new ones refused."
        ),
        (.descriptors, "Raise the limit (ulimit -n, LimitNOFILE)."),
    ])
    func limitIsRecordedWhenItBeginsToCost(limit: ConnectionLimit, words: String) {
        let event = Self.event("origin", limit, .began)
        #expect(event?.kind == .connections && event?.severity == .warning)
        #expect(event?.channel == ChannelEvent.allChannels)
        #expect(event?.message.hasSuffix(words) == true, "\(event?.message ?? "")")
    }

    /// There the setting is not about clients with a token.
    @Test func settingIsNamedForTheOriginAlone() {
        #expect(Self.event("origin", .address, .began)?.message.contains("connections-per-address") == true)
        #expect(Self.event("control API", .address, .began)?.message.contains("connections-per-address") == false)
    }

    @Test(arguments: [ConnectionLimit.displaced, .full, .address, .descriptors])
    func warningSaysWhatItMeansToViewersAndWhatToDo(limit: ConnectionLimit) throws {
        for listener in ["origin", "control API"] {
            let log = LogLines()
            let (events, clock) = (EventLog(), StoppedClock())
            let watch = ConnectionWatch(listener: listener, events: events, clock: clock, logger: log.logger)
            watch.note(limit, .began)
            let line = try #require(log.all.first)
            #expect(line.hasPrefix("warning limit of connections reached do="), "\(line)")
            #expect(line.contains(" viewers=they notice nothing ") == (listener == "control API"), "\(line)")
        }
    }

    @Test func endSaysWhatItCost() {
        let event = Self.event("origin", .full, .ended(count: 7))
        #expect(event?.severity == ChannelEvent.Severity(.notice))
        #expect(event?.message == "The origin accepts new connections again: 7 connections were refused.")
    }
}
