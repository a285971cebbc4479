import MediaCore
import Operations
import Testing

@Suite struct EventLogTests {
    private static func event(_ kind: ChannelEvent.Kind = .gap) -> ChannelEvent {
        ChannelEvent(time: .zero, channel: "live", kind: kind, message: "Something happened.")
    }

    /// A clock that was set back since the earlier process makes no number occur twice.
    @Test(arguments: [(50, 100), (100, 100), (200, 200)])
    func itCountsOnFromTheHigherNumber(earlier: Int, first: Int) {
        let log = EventLog(after: 100)
        log.begin(after: earlier)
        #expect(log.origin == first && log.newest == first && log.oldest == first + 1)
        log.append(Self.event())
        log.begin(after: 1000)
        #expect(log.newest == first + 1 && log.origin == first && log.oldest == first + 1)
    }

    @Test func aReaderCanTellWhatItHasMissed() {
        let log = EventLog(after: 100, capacity: 5)
        for _ in 0..<10 {
            log.append(Self.event(.gap))
            log.append(Self.event(.media))
        }
        let gaps = log.backlog(after: 100, of: [.gap])
        #expect(gaps.total == 10)
        #expect(gaps.newest == 120)
        #expect(gaps.oldest == 120 - log.entries().count + 1)
        #expect(gaps.entries.map(\.number) == log.entries().map(\.number).filter { !$0.isMultiple(of: 2) })
        #expect(log.backlog(after: 120, of: []).entries.isEmpty)
        #expect(log.backlog(after: 0, of: []).total == 20)
    }

    @Test func anEventIsToldToTheMillisecond() {
        var filter = EventFilter()
        (filter.from, filter.to) = (MediaTime(milliseconds: 1500), MediaTime(milliseconds: 1501))
        let times: [(MediaTime, Bool)] = [
            (MediaTime(milliseconds: 1499), false), (MediaTime(milliseconds: 1500), true),
            (MediaTime(1_500_400, timescale: 1_000_000), true), (MediaTime(1_500_900, timescale: 1_000_000), false),
            (MediaTime(milliseconds: 1501), false),
        ]
        for (time, matches) in times {
            var event = Self.event()
            event.time = time
            #expect(filter.matches(event) == matches, "\(time)")
        }
    }
}
