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
    private let events = Mutex<[DrillRecord.Event]>([])

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

    var collected: [DrillRecord.Event] { events.withLock { $0 } }

    /// Asks until its task is cancelled.
    func run() async {
        var newest = 0
        while !Task.isCancelled {
            if let entries = await entries(after: newest), let last = entries.last {
                newest = last.number
                let new = entries.compactMap { event($0) }
                events.withLock { $0 += new }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    /// Fetches the events after a number; returns nil if the packager does not answer.
    private func entries(after number: Int) async -> [Entry]? {
        guard let resource = try? await fetcher.fetch(url + "\(number)") else { return nil }
        return try? JSONDecoder().decode([Entry].self, from: Data(resource.text.utf8))
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
