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

/// The driver of a channel: passes events of its inputs to a `ChannelEngine`, and carries out the actions that it
/// decides.
///
/// Events come on the threads of their sources: inputs, a timer, an operator, the peer. Each holds the engine's lock
/// only during a decision, and never waits under it. Publications then follow in order on a queue of the channel; see
/// <doc:Concurrency>.
package final class Channel: Sendable {
    package let presentation: Presentation
    /// Decides if its playlists may be served.
    package let endpoint: EndpointHealth
    package let clock: any UTCClock
    package let configuration: ChannelEngine.Configuration
    package let events: EventLog
    package let monitor: OnAirMonitor
    package let counters = ListedCounters()
    private let reporter: Reporter
    private let encryption: ChannelEncryption
    /// The keys, from the key source to the writers of segments.
    private let keys: KeyStore
    private let writers: RenditionWriters
    let core: Mutex<Core>
    /// Taken during publication; once inputs are read by no other thread, except at the channel's end.
    let publisher: Mutex<Publisher>
    private let execute: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// The condition on which stored inputs wait for others, and for the publication of their media.
    ///
    /// Its lock is never taken while that of ``core`` is held.
    let progress = NSCondition()
    /// True if inputs wait for nothing any more.
    let hasReleasedInputs = Atomic(false)
    let isStopped = Atomic(false)

    /// - Parameters:
    ///   - configuration: The settings, fixed for the channel's life.
    ///   - encryption: The encryption of its segments.
    ///   - keys: The keys that its key source has given.
    ///   - presentation: The presentation that publishes its slots.
    ///   - endpoint: Decides by the publications if playlists are served.
    ///   - clock: The clock, in UTC.
    ///   - events: Receives events for operators, for the record.
    ///   - logger: Receives messages for operators.
    ///   - monitor: Watches the publications.
    ///   - makeWriter: Makes the writer of a rendition's segments.
    ///   - execute: Runs the publications; one at a time is passed to it.
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
        writers = RenditionWriters(
            inParts: configuration.horizon.partDuration != nil,
            // Players begin three parts before the newest (PART-HOLD-BACK), and must learn of a gap before they reach
            // it.
            patience: configuration.isPaced ? configuration.horizon.partDuration.map { $0 * 2 } : nil,
            makeWriter ?? { form, id in RenditionPackager(form, id: id, encryption: encryption, keys: keys) },
            // A part that the presentation refuses is published with its slot.
            publish: { part, id in try? presentation.publish(part, of: id) }
        )
        core = Mutex(
            Core(
                engine: ChannelEngine(
                    configuration: configuration,
                    length: presentation.configuration.length,
                    longestRun: presentation.configuration.longestRun
                ),
                writers: writers
            )
        )
        // Parts wait for no other channel, and a stored feed waits for the disk as long as it takes.
        let sharesThread = configuration.isPaced && configuration.horizon.partDuration == nil
        let queue = DispatchQueue(
            label: "publishing.\(configuration.name)",
            qos: .userInitiated,
            target: sharesThread ? PublishingThreads.shared.next() : nil
        )
        self.execute = execute ?? { work in queue.async(execute: work) }
        publisher = Mutex(
            Publisher(
                configuration: configuration,
                encryption: encryption,
                presentation: presentation,
                clock: clock,
                reporter: reporter,
                keepsKeyFrames: monitor.keyFrames != nil,
                writers: writers
            )
        )
    }

    /// Makes the receiver of one input's packets.
    ///
    /// - Parameters:
    ///   - id: One of the configured inputs, each once.
    ///   - pace: The pace, which tells if it is live or read from storage.
    ///   - keyFrames: Gets the key frames of its video; nil if thumbnails are off.
    /// - Returns: The consumer for the reader of that input.
    package func makeInput(_ id: InputID, pace: InputPace, keyFrames: NewestKeyFrames? = nil) -> ChannelInput {
        handle(.added(id, pace))
        return ChannelInput(channel: self, id: id, pace: pace, keyFrames: keyFrames)
    }

    /// Tells the engine that time has advanced: lost slots are published as gaps.
    ///
    /// A timer calls this several times a second.
    package func timeAdvanced() {
        let now = clock.now
        handle(.timeAdvanced(endpoint.failures(now: now)))
        if let score = core.withLock({ $0.engine.latestStatus?.score }) { endpoint.setScore(score) }
        if configuration.isPaced { presentation.tick(now: now) }
        wakeInputs()
    }

    /// Lets inputs go that wait for others, because the process is to end, and publishes nothing any more.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        writers.stop()
        presentation.stop()
        releaseInputs()
    }
}

// MARK: - Events and actions

extension Channel {
    /// Passes an event to the engine, and carries out its actions.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - window: The peer's window, if the event is its publication.
    func handle(_ event: ChannelEngine.Event, window: RestoredWindow? = nil) {
        let reading = ClockReading(utc: clock.now, wallClock: clock.wallClock)
        run(core.withLock { $0.handle(event, at: reading, window: window) })
    }

    /// Carries out the work that is left to the thread that brings an event.
    func run(_ work: Core.Work) {
        for report in work.reports { reporter.report(report) }
        if work.mustDrain { execute { self.drain() } }
        for request in work.keyRequests { ask(request) }
    }

    /// Requests keys; the engine gets the answer as an event.
    private func ask(_ request: KeyTimeline.Request) {
        encryption.keySource?.requestKeys(of: request.period, request.classes) { [weak self] answer in
            guard let self else { return }
            switch answer {
            case .success(let arrived):
                // The keys are stored before the engine names them.
                for key in arrived { keys.insert(key) }
                let references = arrived.map { ($0.keyClass, encryption.references(to: $0)) }
                handle(.keysArrived(request.period, Dictionary(references) { first, _ in first }))
            case .failure(let error):
                handle(.keysFailed(request.period, reason: "\(error)"))
            }
        }
    }

    /// Carries out the pending batches, one after the other.
    private func drain() {
        while let batch = core.withLock({ $0.next() }) {
            // Stored inputs continue reading during the publication.
            wakeInputs()
            let feedback = publisher.withLock { $0.perform(batch, unless: { isStopped.load(ordering: .relaxed) }) }
            for event in feedback { handle(event) }
        }
        wakeInputs()
    }
}

// MARK: - Status and selection

extension Channel {
    /// The status within the last second.
    package var latestStatus: ChannelEngine.Status {
        let now = clock.now
        return core.withLock { $0.engine.latestStatus ?? $0.engine.status(at: now) }
    }

    /// A copy of the engine.
    var engine: ChannelEngine { core.withLock { $0.engine } }

    /// Returns the status at a time in UTC.
    package func status(at now: MediaTime) -> ChannelEngine.Status { core.withLock { $0.engine.status(at: now) } }

    /// Bytes of the samples that the inputs have delivered.
    package var inputBytes: Int { core.withLock { $0.engine.receivedBytes } }

    /// The inputs without usable media of a channel that has ended by itself, with the reasons.
    package var shortcomings: [(input: InputID, reason: String)] { core.withLock { $0.engine.shortcomings } }

    /// Fills the slots from an input, beginning with the next possible one.
    ///
    /// - Parameters:
    ///   - input: One of the configured inputs.
    ///   - holds: True if it stays until the operator decides otherwise; false if the next loss ends it.
    ///   - client: The client of the control API, where that is known.
    package func select(_ input: InputID, holds: Bool, by client: String? = nil) {
        handle(.selected(input, holds: holds, by: client))
    }

    /// Holds an input that an operator held in the channel whose place it takes.
    package func keep(_ input: InputID) { handle(.kept(input)) }

    /// Ends the hold of an input that the replaced channel had, and that this one does not have.
    ///
    /// - Parameter input: The name that it had, and its feed.
    package func endHold(of input: String) { handle(.holdEnded(input)) }

    /// Chooses again by the media of the inputs.
    ///
    /// - Parameter client: The client of the control API, where that is known.
    package func selectAutomatically(by client: String? = nil) { handle(.selectedAutomatically(by: client)) }
}
