package import ContentProtection
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
    package let monitor: OnAirMonitor
    package let counters = ListedCounters()
    private let reporter: Reporter
    private let encryption: ChannelEncryption
    /// From its key source to whoever writes segments.
    private let keys: KeyStore
    let core: Mutex<Core>
    /// Taken where things are published; once inputs are read by nobody else, but at the channel's end.
    let publisher: Mutex<Publisher>
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Where stored inputs wait for others, and for what they have brought to be published.
    ///
    /// Its lock is never taken while that of ``core`` is held.
    let progress = NSCondition()
    /// Whether inputs wait for nothing any more.
    let hasReleasedInputs = Atomic(false)
    let isStopped = Atomic(false)

    /// - Parameters:
    ///   - configuration: Fixed for the channel's life.
    ///   - encryption: How its segments are encrypted.
    ///   - keys: Has what its key source has given.
    ///   - presentation: Where its slots are published.
    ///   - endpoint: Decides if playlists are served, by what is published.
    ///   - clock: UTC.
    ///   - events: Receives what an operator should know of, for the record.
    ///   - logger: Receives what an operator should know.
    ///   - monitor: Looks at what is published.
    ///   - makeWriter: Makes what writes a rendition's segments.
    ///   - execute: Runs what is to be published; one at a time is passed to it.
    package init(
        configuration: ChannelEngine.Configuration,
        encryption: ChannelEncryption = .none,
        keys: KeyStore = KeyStore(),
        presentation: Presentation,
        endpoint: EndpointHealth = EndpointHealth(),
        clock: any UTCClock,
        events: EventLog = EventLog(),
        logger: Logger,
        monitor: OnAirMonitor = OnAirMonitor(),
        makeWriter: RenditionWriter.Factory? = nil,
        execute: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
    ) {
        var configuration = configuration
        configuration.cryptoPeriods = encryption.keySource?.periods
        self.configuration = configuration
        self.presentation = presentation
        self.endpoint = endpoint
        self.clock = clock
        self.events = events
        self.monitor = monitor
        monitor.declare(configuration.inputs)
        for observer in [endpoint, monitor, counters] as [any PublicationConsumer] { presentation.add(observer) }
        var logger = logger
        logger[metadataKey: "channel"] = "\(configuration.name)"
        reporter = Reporter(events: events, logger: logger)
        self.encryption = encryption
        self.keys = keys
        core = Mutex(
            Core(
                engine: ChannelEngine(
                    configuration: configuration,
                    length: presentation.configuration.length,
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
                clock: clock,
                reporter: reporter,
                keepsKeyFrames: monitor.keyFrames != nil,
                makeWriter: makeWriter
                    ?? { form, id in RenditionPackager(form, id: id, encryption: encryption, keys: keys) }
            )
        )
    }

    /// Makes the receiver of one input's packets.
    ///
    /// - Parameters:
    ///   - id: One of the configured, each once.
    ///   - pace: Whether it comes as it is made or is read from storage.
    ///   - keyFrames: Gets those of its video; nil where nobody wants to see them.
    /// - Returns: What the reader of that input delivers to.
    package func makeInput(_ id: InputID, pace: InputPace, keyFrames: NewestKeyFrames? = nil) -> ChannelInput {
        handle(.added(id, pace))
        return ChannelInput(channel: self, id: id, pace: pace, keyFrames: keyFrames)
    }

    /// Time went by: slots that are lost are published as gaps.
    ///
    /// To be called several times a second.
    package func timeAdvanced() {
        let now = clock.now
        handle(.timeAdvanced(endpoint.failures(now: now)))
        if let score = core.withLock({ $0.engine.latestStatus?.score }) { endpoint.setScore(score) }
        if configuration.isPaced { presentation.tick(now: now) }
        wakeInputs()
    }

    /// Lets inputs that wait for others go, because the process is to end, and publishes nothing any more.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        presentation.stop()
        releaseInputs()
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
        run(core.withLock { $0.handle(event, at: reading, window: window) })
    }

    /// Does what whoever brought an event has to do.
    func run(_ errands: Core.Errands) {
        for report in errands.reports { reporter.report(report) }
        if errands.mustDrain { execute { self.drain() } }
        for request in errands.keyRequests { ask(request) }
    }

    /// Asks for keys; the engine hears of each when it is there.
    private func ask(_ request: KeyTimeline.Request) {
        encryption.keySource?.requestKeys(of: request.period, request.classes) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let arrived):
                // Before the engine names them, so that they are there.
                for key in arrived { keys.insert(key) }
                let references = arrived.map { ($0.keyClass, encryption.references(to: $0)) }
                handle(.keysArrived(request.period, Dictionary(references) { first, _ in first }))
            case .failure(let error):
                handle(.keysFailed(request.period, reason: "\(error)"))
            }
        }
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
    ///   - client: The client of the control API, where that is known.
    package func select(_ input: InputID, holds: Bool, by client: String? = nil) {
        handle(.selected(input, holds: holds, by: client))
    }

    /// Chooses by what the inputs have, again.
    ///
    /// - Parameter client: The client of the control API, where that is known.
    package func selectAutomatically(by client: String? = nil) { handle(.selectedAutomatically(by: client)) }
}
