import Dispatch
import Foundation
package import Logging
package import MediaCore
package import Operations
package import Packaging
package import Presentation
package import Segmenting
import Synchronization
package import Timeline

/// One channel: hears what its inputs read, has a ``ChannelEngine`` decide, and does what that says.
///
/// Events come on the threads of whoever has them: inputs, a timer, an operator, the peer. Each takes the engine's lock for
/// as long as a decision takes, and nothing is waited for under it. What is to be published then follows on a queue of the
/// channel's own, in order; see <doc:Concurrency>.
package final class Channel: Sendable {
    package let presentation: Presentation
    /// Whether its public face may be served.
    package let endpoint: EndpointHealth
    package let clock: any UTCClock
    package let configuration: ChannelEngine.Configuration
    package let events: EventLog
    private let reporter: Reporter
    private let core: Mutex<Core>
    /// Taken where things are published, and by nobody else once inputs are read.
    private let publisher: Mutex<Publisher>
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Where stored inputs wait for others, and for what they have brought to be published.
    ///
    /// Its lock is never taken while that of ``core`` is held.
    private let progress = NSCondition()
    private let isStopped = Atomic(false)

    /// Stored feeds are read ahead of what is published by so many events that complete slots.
    private static let mostPending = 1

    struct Core {
        var engine: ChannelEngine
        /// What has been decided and is not done yet.
        var pending: [Publisher.Batch] = []
        var isDraining = false
        /// What is known of the peer while it is waited for.
        var windowOfPeer: RestoredWindow?
    }

    /// - Parameters:
    ///   - configuration: Fixed for the channel's life.
    ///   - encryption: How its segments are encrypted.
    ///   - presentation: Where its slots are published.
    ///   - endpoint: Told of everything that decides whether playlists are served.
    ///   - clock: UTC.
    ///   - events: Receives what an operator should know of, for the record.
    ///   - logger: Receives what an operator should know.
    ///   - makeWriter: Makes what writes a rendition's segments.
    ///   - execute: Runs what is to be published; one at a time is passed to it.
    package init(
        configuration: ChannelEngine.Configuration,
        encryption: ChannelEncryption = .none,
        presentation: Presentation,
        endpoint: EndpointHealth = EndpointHealth(),
        clock: any UTCClock,
        events: EventLog = EventLog(),
        logger: Logger,
        makeWriter: RenditionWriter.Factory? = nil,
        execute: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.presentation = presentation
        self.endpoint = endpoint
        self.clock = clock
        self.events = events
        var logger = logger
        logger[metadataKey: "channel"] = "\(configuration.name)"
        reporter = Reporter(events: events, logger: logger)
        core = Mutex(
            Core(
                engine: ChannelEngine(
                    configuration: configuration,
                    longestRun: presentation.configuration.longestRun
                )
            )
        )
        let queue = DispatchQueue(label: "publishing.\(configuration.name)", qos: .userInitiated)
        self.execute = execute ?? { work in queue.async(execute: work) }
        publisher = Mutex(
            Publisher(
                configuration: configuration,
                encryption: encryption,
                presentation: presentation,
                endpoint: endpoint,
                clock: clock,
                reporter: reporter,
                makeWriter: makeWriter
                    ?? { form, id in RenditionPackager(form, id: id, encryption: encryption) }
            )
        )
    }

    /// Makes the receiver of one input's packets.
    ///
    /// - Parameters:
    ///   - id: One of the configured, each once.
    ///   - pace: Whether it comes as it is made or is read from storage.
    /// - Returns: What the reader of that input delivers to.
    package func makeInput(_ id: InputID, pace: InputPace) -> ChannelInput {
        handle(.added(id, pace))
        return ChannelInput(channel: self, id: id, pace: pace)
    }

    /// Time went by: slots that are lost are published as gaps.
    ///
    /// To be called several times a second.
    package func timeAdvanced() {
        let now = clock.now
        handle(.timeAdvanced(endpoint.failures(now: now)))
        if let score = core.withLock({ $0.engine.latestStatus?.score }) { endpoint.setScore(score) }
        presentation.tick(now: configuration.isPaced ? now : nil)
        wakeInputs()
    }

    /// Lets inputs that wait for others go, because the process is to end, and publishes nothing any more.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        presentation.stop()
        wakeInputs()
    }
}

// MARK: - Events and what follows from them

extension Channel {
    /// Has the engine decide, and does what it says.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - window: The peer's, where the event is that it has published.
    func handle(_ event: ChannelEngine.Event, window: RestoredWindow? = nil) {
        let reading = ClockReading(utc: clock.now, wallClock: clock.wallClock)
        let (reports, mustDrain) = core.withLock { core -> ([ChannelEngine.Action], Bool) in
            if let window { core.windowOfPeer = window }
            let actions = core.engine.handle(event, at: reading)
            defer { if !core.engine.isJoining { core.windowOfPeer = nil } }
            return actions.isEmpty ? ([], false) : core.take(actions)
        }
        for report in reports { reporter.report(report) }
        if mustDrain { execute { self.drain() } }
    }

    /// Does what is pending, one after the other.
    private func drain() {
        while let batch = core.withLock({ $0.next() }) {
            let feedback = publisher.withLock { $0.perform(batch, unless: { isStopped.load(ordering: .relaxed) }) }
            for event in feedback { handle(event) }
            wakeInputs()
        }
        wakeInputs()
    }

    /// Returns once all that was decided is published; where the process is to end, that which is under way, if it is not
    /// held up.
    package func finish() {
        let deadline = Date.now + 2
        progress.lock()
        defer { progress.unlock() }
        while core.withLock({ $0.isDraining }) {
            guard isStopped.load(ordering: .relaxed) else {
                progress.wait()
                continue
            }
            if !progress.wait(until: deadline) { return }
        }
    }

    /// As ``finish()``, holding up no thread that tasks share.
    package func finished() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.finish()
                continuation.resume()
            }
        }
    }
}

extension Channel.Core {
    /// Queues what is to be published.
    ///
    /// - Returns: What is to be said at once, and whether somebody has to begin with what is queued.
    mutating func take(_ actions: [ChannelEngine.Action]) -> (reports: [ChannelEngine.Action], mustDrain: Bool) {
        var reports: [ChannelEngine.Action] = []
        var steps: [Publisher.Step] = []
        for action in actions {
            switch action {
            case .log, .record: reports.append(action)
            case .declare(let renditions, let isNew): steps.append(.declare(renditions, isNew: isNew))
            case .publish(let slots): steps.append(.publish(slots))
            case .dropForsaken(let renditions): steps.append(.dropForsaken(renditions))
            case .end: steps.append(.end)
            case .takeOverPeer:
                if let windowOfPeer { steps.append(.restore(windowOfPeer)) }
            }
        }
        if steps.isEmpty { return (reports, false) }
        pending.append(Publisher.Batch(steps: steps, decidedAt: .now()))
        defer { isDraining = true }
        return (reports, !isDraining)
    }

    mutating func next() -> Publisher.Batch? {
        isDraining = !pending.isEmpty
        return pending.isEmpty ? nil : pending.removeFirst()
    }
}

// MARK: - Stored feeds

extension Channel {
    /// Holds up a stored input until the channel has its tracks, for it can wait for the others.
    func waitForStart(_ input: InputID) {
        wait { $0.engine.mustWaitForStart(input) }
    }

    /// Holds up a stored input that is far ahead of the others, or of what is published.
    func waitForOthers(_ input: InputID) {
        wakeInputs()
        wait { $0.pending.count > Self.mostPending || $0.engine.isFarAhead(input) }
    }

    private func wait(while condition: (borrowing Core) -> Bool) {
        if !core.withLock({ condition($0) }) { return }
        progress.lock()
        defer { progress.unlock() }
        while !isStopped.load(ordering: .relaxed), core.withLock({ condition($0) }) { progress.wait() }
    }

    /// Lets inputs that wait look again.
    func wakeInputs() {
        progress.lock()
        progress.broadcast()
        progress.unlock()
    }
}

// MARK: - What others ask

extension Channel {
    /// How it was within the last second.
    package var latestStatus: ChannelEngine.Status {
        let now = clock.now
        return core.withLock { $0.engine.latestStatus ?? $0.engine.status(at: now) }
    }

    /// A copy of what decides.
    var engine: ChannelEngine { core.withLock { $0.engine } }

    /// How it is.
    package func status(at now: MediaTime) -> ChannelEngine.Status { core.withLock { $0.engine.status(at: now) } }

    /// Bytes of the samples that the inputs have delivered.
    package var inputBytes: Int { core.withLock { $0.engine.receivedBytes } }

    /// What a channel that has ended by itself could not make anything of: inputs that had no media, and why.
    package var shortcomings: [(input: InputID, reason: String)] { core.withLock { $0.engine.shortcomings } }

    /// Fills the slots from an input, beginning with the next that can be.
    ///
    /// - Parameters:
    ///   - input: One of the configured.
    ///   - holds: Whether it stays there until the operator says otherwise; else the next loss ends it.
    package func select(_ input: InputID, holds: Bool) { handle(.selected(input, holds: holds)) }

    /// Chooses by what the inputs have, again.
    package func selectAutomatically() { handle(.selectedAutomatically) }
}

// MARK: - What was published before

extension Channel {
    /// Lists again what an earlier run, or a peer, has published.
    ///
    /// To be called before any input is read.
    ///
    /// - Returns: How many slots are listed.
    @discardableResult
    package func restore(_ window: RestoredWindow) -> Int { publisher.withLock { $0.restore(window) } }

    /// Goes on with what an earlier run, or a peer, has published and the presentation lists again.
    ///
    /// To be called before any input is read.
    package func resume(_ window: SavedWindow) {
        handle(.resumed(PublishedWindow(window, expires: nil)))
    }

    /// Whether it makes sense to wait for what a peer publishes.
    package func canJoin(_ window: SavedWindow, at now: MediaTime) -> Bool {
        core.withLock { $0.engine.canJoin(after: window.lastNumber, at: now) }
    }

    /// Publishes nothing until it can go on with what a peer publishes, or has waited for that too long.
    ///
    /// To be called before any input is read.
    ///
    /// - Parameter window: The peer's window as it is now.
    package func beginJoining(_ window: RestoredWindow) {
        handle(.joins(PublishedWindow(window, presentation.configuration)), window: window)
    }

    /// What is known of the peer while it is waited for; nil once it is not.
    package var windowOfPeer: RestoredWindow? {
        isStopped.load(ordering: .relaxed) ? nil : core.withLock { $0.engine.isJoining ? $0.windowOfPeer : nil }
    }

    package var isJoining: Bool { core.withLock { $0.engine.isJoining } }

    /// The peer has published more.
    ///
    /// - Parameter window: All that it lists.
    package func peerPublished(_ window: RestoredWindow) {
        handle(.peerPublished(PublishedWindow(window, presentation.configuration)), window: window)
    }
}
