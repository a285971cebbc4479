import Foundation
package import Logging
import MediaCore
package import Presentation
import Synchronization
package import Timeline

/// One channel: takes what its inputs read, cuts it into slots, and publishes each slot for all renditions at once.
///
/// The decisions are the ``Segmenter``'s and the presentation's; this is the driver around them. It outlives its
/// inputs: nothing that they deliver, and no silence of theirs, ends it.
package final class Channel: Sendable {
    package let configuration: Configuration
    package let presentation: Presentation
    package let clock: any UTCClock
    let logger: Logger
    let mirror: DirectoryMirror?
    let state: Mutex<State>
    private let repairs = Mutex(RepairLog())
    /// Where stored inputs wait for others.
    ///
    /// Its lock is never taken while ``state`` is held.
    let progress = NSCondition()

    struct State: ~Copyable {
        /// The tracks of each input that has been open.
        var opened: [Int: [InputTrack]] = [:]
        var firstOpened: MediaTime?
        /// The places that each input's tracks have in the channel.
        var places: [Int: [Int]] = [:]
        var plans: [RenditionPlan] = []
        /// Nil until the channel has tracks.
        var segmenter: Segmenter?
        var packagers: [RenditionPackager] = []
        /// By place; nil for a track that has had no media.
        var renditions: [RenditionID?] = []
        /// The newest UTC that each unpaced input has reached: the clock of a channel of stored feeds.
        var reached: [Int: MediaTime] = [:]
        var connected: Set<Int> = []
        var endedInputs: Set<Int> = []
        var isEnded = false
        var isStopped = false
        var inputBytes = 0
    }

    /// How long a channel waits for its other inputs once one is there.
    private static let patience = MediaTime(seconds: 10)

    /// - Parameters:
    ///   - configuration: Fixed for the channel's life.
    ///   - presentation: Where its slots are published.
    ///   - clock: UTC.
    ///   - mirror: Where the same bytes go as files; nil if nowhere.
    ///   - logger: Receives what an operator should know.
    package init(
        configuration: Configuration,
        presentation: Presentation,
        clock: any UTCClock,
        mirror: DirectoryMirror?,
        logger: Logger
    ) {
        self.configuration = configuration
        self.presentation = presentation
        self.clock = clock
        self.mirror = mirror
        var logger = logger
        logger[metadataKey: "channel"] = "\(configuration.name)"
        self.logger = logger
        state = Mutex(State())
    }

    /// Makes the receiver of one input's packets.
    ///
    /// - Parameters:
    ///   - index: Below the configured count of inputs, each once.
    ///   - pace: Whether it comes as it is made or is read from storage.
    /// - Returns: What the reader of that input delivers to.
    package func makeInput(_ index: Int, pace: InputPace) -> ChannelInput {
        ChannelInput(
            channel: self,
            index: index,
            source: configuration.clock,
            pace: pace,
            grid: configuration.grid
        )
    }

    /// Whether samples are to come with their subsamples.
    var wantsSubsamples: Bool {
        if case .sampleAES = configuration.encryption { true } else { false }
    }

    /// Bytes of the samples that the inputs have delivered.
    package var inputBytes: Int { state.withLock { $0.inputBytes } }

    /// Time went by: slots that are lost are published as gaps.
    ///
    /// To be called several times a second.
    package func timeAdvanced() {
        let now = clock.now
        let hasStarted = state.withLock { state in
            if configuration.isPaced {
                advance(&state, to: now)
                presentation.tick(now: now)
            }
            mirrorChanges()
            guard state.segmenter == nil, let first = state.firstOpened, now - first > Self.patience else {
                return false
            }
            start(&state)
            return true
        }
        if hasStarted { wakeInputs() }
        logRepairs(at: now)
    }

    /// Lets inputs that wait for others go, because the process is to end.
    package func stop() {
        state.withLock { $0.isStopped = true }
        wakeInputs()
    }

    /// Says something about an input that an operator should know.
    func report(_ problem: String, input: Int) {
        logger.warning("input problem", metadata: ["input": "\(input)", "problem": "\(problem)"])
    }

    /// Counts a repair.
    func record(_ repair: String) {
        repairs.withLock { $0.record(repair) }
    }

    func logRepairs(at now: MediaTime) {
        for (kind, count) in repairs.withLock({ $0.due(at: now) }) {
            logger.warning(
                "feed repaired",
                metadata: ["repair": "\(kind)", "count": "\(count)", "what": "\(RepairLog.explanation(of: kind))"]
            )
        }
    }
}
