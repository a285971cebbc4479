import Dispatch
package import MediaCore
import Synchronization

/// Reads one feed with libavformat, on a thread of its own, and hands every packet to its consumer.
///
/// It opens all that libavformat opens: files, standard input (`-`), UDP, RTP, SRT, HTTP, RTMP (where it waits for a
/// publisher unless the URL says `?listen=0`). A file or standard input is finite: its end is reported to the consumer,
/// or the file starts over, unnoticeably, if it is looped. Any other feed has no end: its loss is reported, and it is
/// opened again until the reader is stopped, at growing intervals of at most 2 s. A file that has nothing to give is
/// tried again, too, at intervals of up to a minute.
///
/// Timestamps are passed on as the feed counts them. The consumer's call is the back-pressure: nothing is read
/// meanwhile.
package final class InputReader: Sendable {
    package struct Options: Hashable, Sendable {
        /// True if a file starts over at its end, without limit.
        var isLooping: Bool
        /// True if a finite feed is read no faster than its own timestamps run.
        package var isPaced: Bool
        /// True if a feed that cannot be opened is tried again.
        var retries: Bool
        /// Retries an address that another program has, too.
        var waitsForAddress: Bool
        /// True if datagrams are read within 6 ms, because parts are made of them.
        package var isPrompt: Bool
        /// The programs of a transport stream that are read.
        package var programs: ProgramChoice
        /// The audio tracks that are offered in AAC as well.
        var audioTranscoding: AudioTranscoding
        /// The subtitles inside the feed that are read.
        package var subtitles: FeedSubtitles
        /// The checks of the content, see `InputConsumer.inputExamined(_:)`.
        package var checks: ContentChecks
        /// The PIDs where SCTE-35 is looked for; empty for those that program maps register.
        package var splicePIDs: [SplicePID]
        /// The addresses that publishers may come from, of a feed that waits for them; empty for any.
        package var allowedPublishers: [AddressRange]

        package init(
            isLooping: Bool = false,
            isPaced: Bool = false,
            retries: Bool = true,
            waitsForAddress: Bool = true,
            isPrompt: Bool = false,
            programs: ProgramChoice = .first,
            audioTranscoding: AudioTranscoding = .none,
            subtitles: FeedSubtitles = .none,
            checks: ContentChecks = ContentChecks(),
            splicePIDs: [SplicePID] = [],
            allowedPublishers: [AddressRange] = []
        ) {
            self.isLooping = isLooping
            self.isPaced = isPaced
            self.retries = retries
            self.waitsForAddress = waitsForAddress
            self.isPrompt = isPrompt
            self.programs = programs
            self.audioTranscoding = audioTranscoding
            self.subtitles = subtitles
            self.checks = checks
            self.splicePIDs = splicePIDs
            self.allowedPublishers = allowedPublishers
        }
    }

    let address: FeedAddress
    package let options: Options
    let consumer: any InputConsumer
    /// Passes events on, if the feed is a connection that cannot be opened twice.
    private let relay: InputRelay?
    /// True if another channel is to continue with it.
    private let held = Atomic(false)
    let addressInUse = Atomic(false)
    /// The read part of a feed of known length.
    package let progress = ReadingProgress()
    let signal: StopSignal
    /// The bytes that are read, of a feed that another reader can continue with.
    package let replayBuffer: FeedReplayBuffer
    /// Opened before there was a reader; nil if nothing was.
    let open: OpenFeed?
    private let state = Mutex(State())

    private struct State {
        var phase = Phase.idle
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0

        enum Phase { case idle, running, finished }
    }

    /// Opens nothing yet.
    ///
    /// - Parameters:
    ///   - url: A URL that libavformat opens, a file's path, or `-` for standard input.
    ///   - options: The way in which the feed is read.
    ///   - open: The feed, if it was opened before, to continue after another reader.
    ///   - consumer: Called on the reader's thread, except for findings about the content.
    package init(url: String, options: Options = Options(), open: OpenFeed? = nil, consumer: any InputConsumer) {
        self.open = open
        signal = open?.signal ?? StopSignal()
        replayBuffer = open?.replayBuffer ?? FeedReplayBuffer()
        address = FeedAddress(FeedLocation(url), allowed: options.allowedPublishers)
        self.options = options
        relay = address.feed.kind == .network && !address.canResume ? InputRelay(consumer) : nil
        self.consumer = relay ?? consumer
    }

    /// True if encoders connect to it.
    package var isListening: Bool { address.isListening }

    /// True if the connection of its encoder can be handed to a reader of another process.
    package var canBeHandedOver: Bool { address.publishing != nil }

    /// True if another consumer can take over the connection.
    package var canBeHeld: Bool { relay != nil }

    /// True if it is kept open for another consumer.
    package var isHeld: Bool { held.load(ordering: .relaxed) }

    /// True once it has ended because another program has its address.
    package var hasFoundAddressInUse: Bool { addressInUse.load(ordering: .acquiring) }

    /// Keeps the connection open for another consumer, and all later events.
    package func hold() {
        held.store(true, ordering: .relaxed)
        relay?.keep()
    }

    /// Stops passing events to its consumer, and keeps them for the next one.
    package func detach() { relay?.detach() }

    /// Passes kept events, and then later ones, to another consumer, without waiting.
    package func resume(with consumer: any InputConsumer) {
        held.store(false, ordering: .relaxed)
        // A consumer may have an input wait for others.
        DispatchQueue.global().async { [relay, signal] in if !signal.isRaised { relay?.move(to: consumer) } }
    }

    /// The location that it was made with.
    package var location: String { address.feed.location }

    /// True if another reader can continue where this one stops.
    package var canBeResumed: Bool { address.canResume }

    /// True if the feed has an end: it is a file or standard input.
    var isFinite: Bool { address.feed.isFinite }

    /// Starts reading; once only.
    package func start() {
        let isFirst = state.withLock { state in
            guard state.phase == .idle else { return false }
            state.phase = .running
            return true
        }
        guard isFirst else { return }
        let hasThread = startThread(named: "input") {
            LibraryLog.forwarding(self.consumer, of: self.address.feed) { self.run() }
            self.finish(from: .running)
        }
        if !hasThread {
            consumer.inputLost(reason: "no thread to read it")
            finish(from: .running)
        }
    }

    /// Ends reading, without waiting.
    ///
    /// A blocking read returns within about 100 ms; looking up a host's name may take longer.
    ///
    /// The consumer may still get an event that is under way, and then no more: being stopped is neither a loss nor an
    /// end.
    package func stop() {
        signal.raise()
        finish(from: .idle)
    }

    /// Returns when the feed has ended or reading was stopped, after the consumer's last call.
    package func finished() async {
        let number = nextWaiter()
        await withCheckedContinuation { wait($0, number) }
    }

    /// Returns as ``finished()`` does, or once the task is cancelled.
    package func finishedOrCancelled() async {
        let number = nextWaiter()
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, number, unless: Task.isCancelled) }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    private func nextWaiter() -> Int {
        state.withLock { state in
            defer { state.nextWaiter += 1 }
            return state.nextWaiter
        }
    }

    private func wait(
        _ waiter: CheckedContinuation<Void, Never>,
        _ number: Int,
        unless isCancelled: @autoclosure () -> Bool = false
    ) {
        // A task that is cancelled after this check finds the waiter.
        let isOver = state.withLock { state in
            if state.phase == .finished || isCancelled() { return true }
            state.waiters[number] = waiter
            return false
        }
        if isOver { waiter.resume() }
    }

    private func finish(from phase: State.Phase) {
        let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
            guard state.phase == phase else { return [] }
            state.phase = .finished
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
