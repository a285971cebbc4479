import Fetching
import Foundation
import MediaCore
import Synchronization

/// Asks a packager's control API for its events, over all its lives.
final class OperatorEvents: Sendable {
    private let packager: String
    private let url: String
    private let fetcher: any Fetcher
    private let clock: DrillClock
    private let state = Mutex(State())

    private struct State {
        var events: [DrillRecord.Event] = []
        /// True if the newest answer was read.
        var isRead = false
    }

    /// An event as the operator's API says it.
    private struct Entry: Decodable {
        var number: Int
        var time: String
        var kind: String
        var input: String?
        var renditions: [String]?
        var slot: Int?
        var message: String
    }

    /// - Parameters:
    ///   - packager: Its name, for reports.
    ///   - control: `HOST:PORT` of its control API.
    ///   - fetcher: Gets the events.
    ///   - clock: The clock of the drill.
    init(of packager: String, at control: String, through fetcher: any Fetcher, clock: DrillClock) {
        self.packager = packager
        url = "http://\(control)/events?limit=1000&after="
        self.fetcher = fetcher
        self.clock = clock
    }

    var collected: [DrillRecord.Event] { state.withLock { $0.events } }

    /// True if the packager has answered, and its newest answer could be read.
    var isRead: Bool { state.withLock { $0.isRead } }

    /// Asks until its task is cancelled.
    func run() async {
        var newest = 0
        while !Task.isCancelled {
            // A packager that was killed does not answer, and loses nothing by it.
            if let answer = try? await fetcher.fetch(url + "\(newest)") {
                let entries = try? JSONDecoder().decode([Entry].self, from: Data(answer.text.utf8))
                newest = entries?.last?.number ?? newest
                state.withLock { state in
                    state.events += (entries ?? []).compactMap { event($0) }
                    state.isRead = entries != nil
                }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func event(_ entry: Entry) -> DrillRecord.Event? {
        guard let utc = MediaTime(iso8601: entry.time) else { return nil }
        return DrillRecord.Event(
            time: clock.time(ofUTC: utc),
            source: packager,
            kind: entry.kind,
            input: entry.input,
            renditions: entry.renditions ?? [],
            slot: entry.slot,
            message: entry.message
        )
    }
}
