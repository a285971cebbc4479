import MediaCore
import Playlists
import Testing

@testable import Channels

@Suite struct OnAirHistoryTests {
    private static func history(_ slots: [(source: String, start: Int64)]) -> OnAirHistory {
        var history = OnAirHistory()
        for (source, start) in slots {
            let (number, start) = (MediaSequenceNumber(start / 4), MediaTime(seconds: start))
            history.published(number, of: "video", from: source, start: start, end: start + MediaTime(seconds: 4))
        }
        return history
    }

    private static func runs(_ history: OnAirHistory) -> [String] {
        history.renditions.flatMap(\.runs).map { "\($0.source) \($0.start.seconds)-\($0.end.seconds)" }
    }

    @Test func slotsOfOneSourceAreOneRun() {
        let history = Self.history([("input-1", 0), ("input-1", 4), ("none", 8), ("backup-1", 12), ("backup-1", 16)])
        #expect(Self.runs(history) == ["input-1 0.0-8.0", "none 8.0-12.0", "backup-1 12.0-20.0"])
    }

    @Test func whatNobodyPublishedIsInNoRun() {
        #expect(
            Self.runs(Self.history([("input-1", 0), ("input-1", 40)])) == ["input-1 0.0-4.0", "input-1 40.0-44.0"]
        )
    }

    @Test func itForgetsTheOldestRuns() {
        let slots = (0..<Int64(2 * OnAirHistory.mostRuns)).map { ($0 % 2 == 0 ? "input-1" : "none", $0 * 4) }
        let runs = Self.history(slots).renditions[0].runs
        #expect(runs.count == OnAirHistory.mostRuns)
        #expect(runs.last?.end == MediaTime(seconds: Int64(2 * OnAirHistory.mostRuns) * 4))
    }

    /// A slot may begin a little before its time.
    @Test func slotsFromOneOnAreLeftOut() {
        var history = Self.history([("input-1", 0), ("input-1", 4), ("none", 8), ("backup-1", 12)])
        let early = MediaTime(milliseconds: 15_400)
        history.published(MediaSequenceNumber(4), of: "video", from: "slate", start: early, end: MediaTime(seconds: 20))
        let shown = { (slot: Int64) in
            Self.runs(history.before(MediaSequenceNumber(slot), from: MediaTime(seconds: slot * 4)))
        }
        #expect(shown(1) == ["input-1 0.0-4.0"])
        #expect(shown(3) == ["input-1 0.0-8.0", "none 8.0-12.0"])
        #expect(shown(4) == ["input-1 0.0-8.0", "none 8.0-12.0", "backup-1 12.0-16.0"])
        #expect(shown(9).count == 4 && shown(0).isEmpty)
    }

    @Test func whatIsOverIsLeftOut() {
        let history = Self.history([("input-1", 0), ("none", 4), ("backup-1", 8)])
        #expect(Self.runs(history.since(MediaTime(seconds: 6))) == ["none 4.0-8.0", "backup-1 8.0-12.0"])
        #expect(history.since(MediaTime(seconds: 12)).renditions.isEmpty)
    }
}
