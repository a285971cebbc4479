import Fetching
import MediaCore
import NIOHTTP1
import Operations
import Synchronization

/// Sends events to a webhook: one after another, each until it is accepted.
///
/// It reads the history of events at its own pace. Waiting events are kept there: in memory, or
/// in the archive, which also stores its place for the next process.
final class WebhookSender: Sendable {
    let webhook: Webhook
    private let history: EventHistory
    private let signal: EventSignal
    private let now: @Sendable () -> MediaTime
    private let pace: Double
    private let client: OriginClient.Configuration
    private let onNews: @Sendable (WebhookEvent) -> Void
    private let isPlaceKnown: Bool
    private let state: Mutex<State>

    private struct State {
        var status: WebhookStatus
        /// The number of the newest event that was delivered or given up.
        var position: Int
        /// Events of this process that it wants and that are behind it.
        var handled = 0
        /// Events that were given up since the problem began.
        var lost = 0
        var isGone = false
        /// True once the place is known from which it continues.
        var isPlaced = false
    }

    /// The age at which an event that was not delivered is no longer sent.
    static let longestDelay = MediaTime(seconds: 86_400)
    /// Events that are delivered before the position is stored.
    private static let page = 50
    /// The searches that an archive may leave without an answer, a second apart, before its events count as missed.
    private static let mostSearches = 60
    /// The number of failures in a row that is reported.
    private static let notableFailures = 2

    /// - Parameters:
    ///   - webhook: The webhook to deliver to.
    ///   - history: The history of the events to deliver.
    ///   - signal: Fired after each event.
    ///   - start: The number after which it begins.
    ///   - isPlaceKnown: True if the place counts, and not that of the archive.
    ///   - pace: A factor for pauses between attempts.
    ///   - timeout: The time that an answer may take.
    ///   - now: UTC.
    ///   - onNews: Called with news for the operator.
    init(
        _ webhook: Webhook,
        _ history: EventHistory,
        _ signal: EventSignal,
        after start: Int,
        isPlaceKnown: Bool,
        pace: Double,
        timeout: Duration,
        now: @escaping @Sendable () -> MediaTime,
        onNews: @escaping @Sendable (WebhookEvent) -> Void
    ) {
        self.webhook = webhook
        self.history = history
        self.signal = signal
        self.now = now
        self.pace = pace
        self.isPlaceKnown = isPlaceKnown
        client = OriginClient.Configuration(timeout: timeout, maximumBytes: 1 << 20, followsRedirects: false)
        self.onNews = onNews
        state = Mutex(State(status: WebhookStatus(name: webhook.name), position: start))
    }

    /// The number of the newest event that is behind it.
    var position: Int { state.withLock { $0.position } }

    /// True once the place is known from which it continues.
    var isPlaced: Bool { state.withLock { $0.isPlaced } }

    /// True if the receiver wants no more events.
    var isGone: Bool { state.withLock { $0.isGone } }

    var status: WebhookStatus {
        var (status, position) = state.withLock { ($0.status, $0.position) }
        status.waiting = history.log.backlog(after: position, of: webhook.kinds).entries.count
        return status
    }

    /// Tells it of events until the signal is finished, the task cancelled, or it has gone.
    func run() async {
        let (wakes, continuation) = signal.follow()
        defer { continuation.finish() }
        await findPlace()
        await OriginClient.withClient(client) { client in
            var iterator = wakes.makeAsyncIterator()
            repeat {
                await catchUp(client)
                if isOver { return }
            } while await iterator.next() != nil
        }
    }

    private var isOver: Bool { Task.isCancelled || isGone }

    /// Finds the place from which it continues, where an earlier process has begun.
    private func findPlace() async {
        let known = isPlaceKnown ? nil : await history.archive?.position(of: webhook.reader)
        // A cancelled search says nothing of the place.
        if Task.isCancelled { return }
        state.withLock { state in
            if let known { state.position = history.position(known) }
            let backlog = history.log.backlog(after: state.position, of: webhook.kinds)
            state.handled = backlog.total - backlog.entries.count
            state.isPlaced = true
        }
        keepPlace()
    }

    /// Stores its place, so that the next process finds the waiting events.
    ///
    /// Nothing is stored while the place of an earlier process is still being looked for.
    func keepPlace() {
        guard let position = state.withLock({ $0.isPlaced ? $0.position : nil }) else { return }
        history.archive?.keep(position: position, of: webhook.reader)
    }

    /// Sends all waiting events.
    private func catchUp(_ client: OriginClient) async {
        while !isOver {
            let position = position
            let backlog = history.log.backlog(after: position, of: webhook.kinds)
            var page = await archived(after: position, before: backlog.oldest)
            if isOver { return }
            if page.isEmpty {
                countMissed(backlog)
                page = Array(backlog.entries.prefix(Self.page))
            }
            for entry in page { if !(await deliver(entry, client)) { break } }
            // Events that it does not want leave nothing to wait for.
            if page.isEmpty { state.withLock { $0.position = max($0.position, backlog.newest) } }
            let reached = self.position
            if reached != position { history.archive?.keep(position: reached, of: webhook.reader) }
            if page.isEmpty { return }
        }
    }

    /// Returns the events that memory has dropped and the archive has, once it answers.
    ///
    /// Its disk may be busy, or the events on the way to another directory.
    private func archived(after position: Int, before oldest: Int) async -> [EventLog.Entry] {
        guard let archive = history.archive, position < oldest - 1 else { return [] }
        var search = EventSearch(limit: Self.page)
        (search.after, search.before, search.filter.kinds) = (position, oldest, webhook.kinds)
        for _ in 0..<Self.mostSearches {
            if let entries = await archive.entries(search) { return entries }
            try? await Task.sleep(for: .seconds(1) * pace)
            if isOver { break }
        }
        return []
    }

    /// Counts the events that neither memory nor the archive has any more.
    private func countMissed(_ backlog: EventLog.Backlog) {
        let missed = state.withLock { state in
            let missed = backlog.total - state.handled - backlog.entries.count
            state.handled += missed
            state.status.dropped += missed
            return missed
        }
        if missed > 0 { onNews(.missed(missed)) }
    }

    /// - Returns: True if the next one is to be delivered.
    private func deliver(_ entry: EventLog.Entry, _ client: OriginClient) async -> Bool {
        var attempts = DeliveryAttempts()
        while !isOver {
            guard now() - entry.event.time < Self.longestDelay else {
                drop(entry)
                return true
            }
            let result = await post(entry, client)
            // A cancelled request says nothing of the receiver.
            if Task.isCancelled { return false }
            switch attempts.outcome(of: result, chance: .random(in: 0...1)) {
            case .delivered:
                settle(entry)
                return true
            case .refused(let reason):
                // The failure is reported once: the report is an event, too, and may be refused like the others.
                fail(.refuses(reason: reason), reason)
                drop(entry)
                return true
            case .gone:
                state.withLock { ($0.isGone, $0.status.problem) = (true, "gone") }
                onNews(.gone)
            case .retry(let pause, let reason):
                if attempts.failures == Self.notableFailures { fail(.began(reason: reason), reason) }
                try? await Task.sleep(for: pause * pace)
            }
        }
        return false
    }

    private func post(
        _ entry: EventLog.Entry,
        _ client: OriginClient
    ) async -> Result<(status: Int, retryAfter: Int?), FetchError> {
        guard let message = try? WebhookMessage(entry, at: now(), secret: webhook.secret) else {
            return .failure(.failed("it cannot be signed"))
        }
        do throws(FetchError) {
            let answer = try await client.send(message.body, to: webhook.url, message.fields)
            return .success((answer.status, answer.fields.first(name: "Retry-After").flatMap { Int($0) }))
        } catch {
            return .failure(error)
        }
    }

    private func fail(_ news: WebhookEvent, _ reason: String) {
        let isNews = state.withLock { state in
            guard state.status.problem == nil else { return false }
            (state.status.problem, state.lost) = (reason, 0)
            return true
        }
        if isNews { onNews(news) }
    }

    /// A dropped event counts as passed as well.
    private func drop(_ entry: EventLog.Entry) {
        state.withLock { state in
            state.status.dropped += 1
            state.lost += 1
            pass(entry, &state)
        }
    }

    private func settle(_ entry: EventLog.Entry) {
        let lost = state.withLock { state in
            state.status.delivered += 1
            pass(entry, &state)
            defer { state.status.problem = nil }
            return state.status.problem == nil ? nil : state.lost
        }
        if let lost { onNews(.ended(lost: lost)) }
    }

    private func pass(_ entry: EventLog.Entry, _ state: inout State) {
        state.position = entry.number
        if entry.number > history.log.origin { state.handled += 1 }
    }
}
