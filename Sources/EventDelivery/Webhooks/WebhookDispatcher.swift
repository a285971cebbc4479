package import MediaCore
package import Operations
import Synchronization

/// Tells all webhooks of events, each by itself: none waits for another.
package final class WebhookDispatcher: Sendable {
    private let history: EventHistory
    private let signal: EventSignal
    private let pace: Double
    private let timeout: Duration
    private let now: @Sendable () -> MediaTime
    private let onNews: @Sendable (_ name: String, WebhookEvent) -> Void
    private let senders = Mutex<[(sender: WebhookSender, task: Task<Void, Never>)]>([])

    /// - Parameters:
    ///   - history: The history of the events to deliver.
    ///   - signal: Fired after each event; finished when deliveries end.
    ///   - pace: A factor for pauses between attempts.
    ///   - timeout: The time that an answer may take.
    ///   - now: UTC.
    ///   - onNews: Called with a webhook's name and news for the operator, on any thread.
    package init(
        history: EventHistory,
        signal: EventSignal,
        pace: Double = 1,
        timeout: Duration = .seconds(10),
        now: @escaping @Sendable () -> MediaTime,
        onNews: @escaping @Sendable (_ name: String, WebhookEvent) -> Void
    ) {
        self.history = history
        self.signal = signal
        self.pace = pace
        self.timeout = timeout
        self.now = now
        self.onNews = onNews
    }

    /// The state of each webhook, in the order in which they were given.
    package var statuses: [WebhookStatus] {
        senders.withLock { $0.map(\.sender) }.map(\.status)
    }

    /// Sends events to these webhooks from now on, and to no others.
    ///
    /// A known URL continues at its place, also after a removal.
    ///
    /// - Parameters:
    ///   - webhooks: The webhooks, whose URLs differ.
    ///   - start: The number of the event after which unknown webhooks begin.
    package func update(_ webhooks: [Webhook], after start: Int) {
        senders.withLock { senders in
            var old = senders
            senders = webhooks.map { webhook in
                guard let index = old.firstIndex(where: { $0.sender.webhook.url == webhook.url }) else {
                    return begin(webhook, after: start, isPlaceKnown: false)
                }
                let before = old[index].sender
                if before.webhook == webhook, !before.isGone { return old.remove(at: index) }
                // The place of an earlier process may not be found yet.
                return begin(webhook, after: before.position, isPlaceKnown: before.isPlaced)
            }
            for (_, task) in old { task.cancel() }
            // There may be an archive that there was not before.
            for (sender, _) in senders { sender.keepPlace() }
        }
    }

    private func begin(
        _ webhook: Webhook,
        after start: Int,
        isPlaceKnown: Bool
    ) -> (WebhookSender, Task<Void, Never>) {
        let sender = WebhookSender(
            webhook,
            history,
            signal,
            after: start,
            isPlaceKnown: isPlaceKnown,
            pace: pace,
            timeout: timeout,
            now: now
        ) { [onNews] in onNews(webhook.name, $0) }
        return (sender, Task { await sender.run() })
    }

    /// Ends it for all.
    package func stop() async {
        let tasks = senders.withLock { $0.map(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
