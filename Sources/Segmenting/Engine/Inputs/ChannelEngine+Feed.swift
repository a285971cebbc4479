import Codecs
import MediaCore
import NIOCore
import Operations
import Timeline

extension ChannelEngine {
    /// An input of a channel: the place of its packets on the timeline, and its health.
    struct Feed: Sendable {
        let id: InputID
        let pace: InputPace
        /// True if its offset from its backup, or from the input that it backs up, is measured.
        let isAligned: Bool
        var timeline: InputTimeline
        /// The clocks of a backup, which is placed relative to its input and not to the others.
        private var ownClocks = ArrivalClocks()
        /// The time that is added to all times of a backup, so that it shows the same pictures as its input at the same
        /// time.
        var shift = MediaTime.zero
        /// The time that is added to UTC alone, so that shifts do not add up.
        var correction = MediaTime.zero
        /// The tracks that it had when it was first open with some that the channel carries; nil before.
        var opened: [InputTrack]?
        var described: [InputTrack] = [] {
            didSet { denseTracks = Set(described.lazy.filter { !$0.kind.isSparse }.map(\.index)) }
        }
        /// Indices of the tracks of sound and pictures.
        private(set) var denseTracks: Set<InputTrackIndex> = []
        var isConnected = false
        /// True from when it was opened anew until it delivers something.
        var isBeginning = false
        var hasEnded = false
        /// The number of the channel's renditions when its tracks were given their places.
        var renditionCount = 0
        /// The tracks by the container's track index; nil as long as the channel has no tracks.
        var tracks: [InputTrackIndex: Track]?
        /// The places that its tracks have in the channel, by the container's track index; nil before it has had any.
        var places: [InputTrackIndex: TrackIndex]?
        /// The tracks that cannot be read because of their headers.
        var unreadable: Set<InputTrackIndex> = []
        /// The track that a stored feed is anchored on.
        var leader: InputTrackIndex?
        /// The reports about its speed.
        var speed = SpeedWatch()
        var held: [Held] = []
        var health: InputHealth
        var threshold = InputHealthThreshold()
        /// True if the fall of its health was logged.
        var isDeclineReported = false
        /// The reports about it while it is not there.
        var absence = AbsenceWatch()
        /// The formats of its tracks.
        var formats = FormatWatch()
        /// The latest loss, until viewers have the input's media again.
        var loss: LossIncident?
        /// The lines of libraries about it.
        var libraryLines = RepetitionFilter()
        /// True if the input was open before; the health of an input that has never been open cannot fall.
        var hasOpened = false
        /// The newest UTC that its samples have reached: of stored feeds, the channel's clock.
        var reached: MediaTime?
        /// The reason why it delivers nothing; nil if unknown.
        var shortcoming: String?
        /// The reports about it that need not be made again.
        private var said: Set<String> = []
        /// Limits the reports of its changing tracks: a bad feed must not fill a disk.
        var changes = BurstLimit(32, in: MediaTime(seconds: 60))
        /// Limits the reports of its changing programs.
        var programChanges = BurstLimit(8, in: MediaTime(seconds: 60))
        /// The timed metadata that waits for its slot.
        var tags = TimedTags()
        /// The tags that came before it had its place.
        private var heldTags: [(bytes: ByteBuffer, timestamp: Int64)] = []
        /// The cues that came before it had its place.
        private var heldCues: [(packet: ReadPacket, place: TrackIndex)] = []
        /// The sections that came before it had its place.
        private var heldSplices: [SpliceMessage] = []

        /// The most reports that are made once.
        private static let mostSaid = 256

        /// Returns true if a report was not made yet, and may be made.
        mutating func mustSay(_ report: String) -> Bool {
            said.count < Self.mostSaid && said.insert(report).inserted
        }

        struct Track: Sendable {
            var description: InputTrack
            var place: TrackIndex
            /// The captions that were seen in it.
            var captions = CaptionServices()
        }

        /// A sample whose place is not known yet.
        struct Held: Sendable {
            var track: InputTrackIndex
            var place: TrackIndex
            var unit: TrackReader.Unit
            var times: SampleTimes
            var arrival: MediaTime
        }

        /// The most samples that are held, more than a server's burst has; beyond it the oldest go.
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

        /// True if it is connected and brings media.
        var isPresent: Bool { isConnected && !health.isMute }
        var side: OffsetMeter.Side { id.rank == .primary ? .primary : .backup }
        /// UTC minus media time.
        var utcOffset: MediaTime { timeline.utcOffset + correction }

        /// Takes the timestamps of a packet.
        ///
        /// - Parameters:
        ///   - packet: The packet.
        ///   - canAnchor: True if the input can be placed by it.
        ///   - reading: The time of its arrival.
        ///   - signalled: The time that it signals itself.
        ///   - shared: The clocks of the channel's inputs.
        /// - Returns: The times of the packet, if they are known.
        mutating func received(
            _ packet: PacketInfo,
            canAnchor: Bool,
            at reading: ClockReading,
            signalled: SignalledTime?,
            shared: inout ArrivalClocks
        ) -> InputTimeline.Reception {
            if id.rank == .primary {
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

        /// Returns the positions of the channel's other inputs that share its clock.
        func sharing(_ shared: ArrivalClocks) -> Set<InputPosition> {
            (id.rank == .primary ? shared : ownClocks).inputs(sharingWith: id.position).subtracting([id.position])
        }

        /// Keeps a sample until its place is known.
        ///
        /// - Returns: True if older ones had to go for it.
        mutating func hold(_ sample: Held) -> Bool {
            held.append(sample)
            guard held.count > Self.mostHeld else { return false }
            held.removeFirst(Self.mostHeld / 2)
            return true
        }

        /// Forgets everything that waited for the place of another run of the feed.
        mutating func forgetHeld() {
            held.removeAll()
            (heldTags, heldCues, heldSplices) = ([], [], [])
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

        /// Keeps a tag until the feed has its place; of more than a few the oldest go.
        mutating func hold(tag bytes: ByteBuffer, timestamp: Int64) {
            heldTags.append((bytes, timestamp))
            if heldTags.count > Self.mostHeldSplices { heldTags.removeFirst() }
        }

        mutating func takeHeldTags() -> [(bytes: ByteBuffer, timestamp: Int64)] {
            if heldTags.isEmpty { return [] }
            defer { heldTags = [] }
            return heldTags
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

        /// Judges the health of the input.
        ///
        /// - Returns: The health, and a description of its change in words; nil without a change.
        mutating func judge(at now: MediaTime) -> (report: InputHealth.Report, change: String?) {
            let report = health.report(at: now)
            // A stored input is read on demand, so its speed says nothing about its health.
            guard hasOpened, pace != .stored else { return (report, nil) }
            return (report, threshold.observe(report, at: now)?.text)
        }
    }
}
