import Foundation
import Ingest
import MediaCore
import Synchronization

/// Sends one encoder's feed in real time, on a thread of its own.
///
/// The encoder can be killed and started again at any moment; it continues with the media of that moment. A connection
/// that breaks, or cannot be made, is tried again as long as the encoder runs; packets that were due meanwhile are
/// lost.
final class FeedSender: Sendable {
    private let configuration: FeedConfiguration
    /// The URL that it sends to, without secrets.
    var address: String { "\(FeedLocation(url))" }

    private let url: String
    private let origin: FeedOrigin
    private let state = Mutex(State())

    private struct State {
        /// Raised to kill the encoder that lives; nil if none does.
        var signal: StopSignal?
        /// The number of threads, including those of encoders that were killed a moment ago.
        var threadCount = 0
        var events: [FeedEvent] = []
        var counts = FeedCounts()
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// Sends nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: The feed that is sent.
    ///   - url: The URL to send to, which libavformat opens for writing.
    ///   - origin: The start of the drill.
    init(_ configuration: FeedConfiguration, to url: String, origin: FeedOrigin) {
        self.configuration = configuration
        self.url = url
        self.origin = origin
    }

    /// Starts the encoder, or starts it again after it was killed or has ended; nothing happens while it runs.
    func start() {
        let signal = StopSignal()
        let isFirst = state.withLock { state in
            guard state.signal == nil else { return false }
            state.signal = signal
            state.threadCount += 1
            return true
        }
        guard isFirst else { return }
        let thread = Thread { [self] in
            var run = FeedSenderRun(configuration, to: url, origin: origin, signal: signal) { change in
                self.state.withLock { change(&$0.events, &$0.counts) }
            }
            run.run()
            finish(signal)
        }
        thread.name = "feed"
        thread.start()
    }

    /// Kills the encoder at once, without waiting for it: not a packet more.
    func kill() {
        state.withLock { $0.signal.take() }?.raise()
    }

    /// Returns once no encoder runs and all reports about it have arrived.
    func finished() async {
        await withCheckedContinuation { waiter in
            let isFinished = state.withLock { state in
                if state.threadCount > 0 { state.waiters.append(waiter) }
                return state.threadCount == 0
            }
            if isFinished { waiter.resume() }
        }
    }

    /// The events so far, in order.
    var events: [FeedEvent] { state.withLock { $0.events } }

    var counts: FeedCounts { state.withLock { $0.counts } }

    /// True if nothing of the feed was sent, although there was something to send.
    var isUnheard: Bool { state.withLock { $0.counts.sent == 0 && $0.counts.undelivered > 0 } }

    private func finish(_ signal: StopSignal) {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            if state.signal === signal { state.signal = nil }
            state.threadCount -= 1
            guard state.threadCount == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
