import Codecs
import MediaCore
import Operations
import Timeline

extension ChannelEngine {
    /// One input of a channel: where its packets lie on the timeline, and how it is.
    struct Feed: Sendable {
        let id: InputID
        let pace: InputPace
        /// Whether it is measured how it lies to the one that stands by for it, or that it stands by for.
        let isAligned: Bool
        var timeline: InputTimeline
        /// Of a backup, which is placed relative to its input and not to the others.
        private var ownClocks = ArrivalClocks()
        /// Added to all times, so that it shows the same at the same time as the input that it stands by for.
        var shift = MediaTime.zero
        /// Added to UTC alone, so that shifts do not add up.
        var correction = MediaTime.zero
        /// Since it was first open with tracks that the channel carries, what it had then.
        var opened: [InputTrack]?
        var described: [InputTrack] = [] {
            didSet { denseTracks = Set(described.lazy.filter { !$0.kind.isSparse }.map(\.index)) }
        }
        /// Indices of the tracks of sound and pictures.
        private(set) var denseTracks: Set<Int> = []
        var isConnected = false
        /// Whether it was opened anew, and nothing it has delivered since has been waited for.
        var isBeginning = false
        var hasEnded = false
        /// How many renditions the channel had when its tracks were given their places.
        var renditionCount = 0
        /// By the container's track index; nil as long as the channel has no places for tracks.
        var tracks: [Int: Track]?
        /// The places that its tracks have in the channel, by the container's track index; nil before it has had any.
        var places: [Int: TrackIndex]?
        /// Tracks that cannot be read for what their headers say.
        var unreadable: Set<Int> = []
        /// The track that a stored feed is anchored on.
        var leader: Int?
        /// What is said of its speed.
        var speed = SpeedWatch()
        var held: [Held] = []
        var health: InputHealth
        var threshold = InputHealthThreshold()
        /// Whether the log has said that its health fell.
        var isFallTold = false
        /// What is said of it while it is not there.
        var absence = AbsenceWatch()
        /// The formats of what it sends.
        var formats = FormatWatch()
        /// Its latest loss, until viewers have its media again.
        var loss: LossIncident?
        /// What libraries have said of it.
        var libraryLines = RepetitionFilter()
        /// What has never been there cannot fall ill.
        var hasOpened = false
        /// The newest UTC that its samples have reached: of stored feeds, the channel's clock.
        var reached: MediaTime?
        /// Why it has nothing to give, as far as that is known.
        var shortcoming: String?
        /// What has been said of it, and need not be said again.
        var said: Set<String> = []
        /// Timed metadata that waits for its slot.
        var tags = TimedTags()
        /// Cues that came before it had its place.
        private var heldCues: [(packet: ReadPacket, place: TrackIndex)] = []
        /// Sections that came before it had its place.
        private var heldSplices: [SpliceMessage] = []

        struct Track: Sendable {
            var description: InputTrack
            var place: TrackIndex
            /// Captions that were seen in it.
            var captions = CaptionServices()
        }

        /// A sample whose place is not known yet.
        struct Held: Sendable {
            var track: Int
            var place: TrackIndex
            var unit: TrackReader.Unit
            var times: SampleTimes
            var arrival: MediaTime
        }

        /// More samples than a server's burst has; beyond it the oldest go.
        private static let mostHeld = 20_000
        private static let mostHeldSplices = 64

        init(id: InputID, pace: InputPace, isAligned: Bool, _ configuration: ChannelEngine.Configuration) {
            self.id = id
            self.pace = pace
            self.isAligned = isAligned
            health = InputHealth(checks: configuration.checks, timeout: configuration.inputTimeout)
            timeline = InputTimeline(
                source: configuration.clock,
                pace: pace,
                grid: configuration.grid,
                timecode: configuration.timecode,
                input: id.position
            )
        }

        /// Whether it is connected and brings media.
        var isPresent: Bool { isConnected && !health.isMute }
        var side: OffsetMeter.Side { id.rank == 0 ? .primary : .backup }
        /// UTC minus media time.
        var utcOffset: MediaTime { timeline.utcOffset + correction }

        /// A packet's timestamps come in.
        ///
        /// - Parameters:
        ///   - packet: Its packet.
        ///   - canAnchor: Whether the input can be placed by it.
        ///   - reading: When it came.
        ///   - signalled: What it says of its time itself.
        ///   - shared: The clocks of the channel's inputs.
        /// - Returns: What became of them.
        mutating func received(
            _ packet: PacketInfo,
            canAnchor: Bool,
            at reading: ClockReading,
            signalled: SignalledTime?,
            shared: inout ArrivalClocks
        ) -> InputTimeline.Reception {
            if id.rank == 0 {
                timeline.received(
                    packet,
                    canAnchor: canAnchor,
                    arrival: reading.utc,
                    wallClock: reading.wallClock,
                    signalled: signalled,
                    clocks: &shared
                )
            } else {
                timeline.received(
                    packet,
                    canAnchor: canAnchor,
                    arrival: reading.utc,
                    wallClock: reading.wallClock,
                    signalled: signalled,
                    clocks: &ownClocks
                )
            }
        }

        /// Which others of the channel's inputs share its clock.
        func sharing(_ shared: ArrivalClocks) -> Set<Int> {
            (id.rank == 0 ? shared : ownClocks).inputs(sharingWith: id.position).subtracting([id.position])
        }

        /// Keeps a sample until its place is known.
        ///
        /// - Returns: Whether older ones had to go for it.
        mutating func hold(_ sample: Held) -> Bool {
            held.append(sample)
            guard held.count > Self.mostHeld else { return false }
            held.removeFirst(Self.mostHeld / 2)
            return true
        }

        /// Keeps a section until the feed has its place; more than a few are repeated.
        mutating func hold(_ message: SpliceMessage) {
            if heldSplices.count < Self.mostHeldSplices { heldSplices.append(message) }
        }

        /// Keeps a cue until the feed has its place; of more than a few the oldest go.
        mutating func hold(cue packet: ReadPacket, place: TrackIndex) {
            heldCues.append((packet, place))
            if heldCues.count > Self.mostHeldSplices { heldCues.removeFirst() }
        }

        mutating func takeHeldCues() -> [(packet: ReadPacket, place: TrackIndex)] {
            if heldCues.isEmpty { return [] }
            defer { heldCues = [] }
            return heldCues
        }

        mutating func takeHeldSplices() -> [SpliceMessage] {
            if heldSplices.isEmpty { return [] }
            defer { heldSplices = [] }
            return heldSplices
        }

        /// How it is, and what of it has changed in words.
        mutating func judge(at now: MediaTime) -> (report: InputHealth.Report, change: String?) {
            let report = health.report(at: now)
            // What is stored comes as it is asked for.
            guard hasOpened, pace != .stored else { return (report, nil) }
            return (report, threshold.observe(report, at: now)?.text)
        }
    }
}
