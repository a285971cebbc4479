import Codecs
package import MediaCore
import NIOCore
import Presentation
import Synchronization
import Timeline

/// One input of a channel: receives its packets on the reader's thread, reads them and places them on the timeline.
package final class ChannelInput: InputConsumer {
    let channel: Channel
    let id: InputID
    private let pace: InputPace
    /// Nil where nothing is to be measured.
    let alignment: InputAlignment?
    /// Where what is placed by its arrival lies; shared by inputs that may share an encoder.
    let clocks: SharedClocks
    /// Taken by the reader's thread, and before the channel's own lock; others look in only where nobody has it.
    let state: Mutex<State>
    /// Its lock is the innermost: the channel asks for it whatever else is held.
    let health: Mutex<Health>

    struct Health {
        var meter: InputHealth
        var threshold = InputHealthThreshold()
        /// What has never been there cannot fall ill.
        var hasOpened = false
    }

    struct State {
        var timeline: InputTimeline
        /// Added to all times, so that it shows the same at the same time as the input that it stands by for.
        var shift = MediaTime.zero
        /// Added to UTC alone, so that shifts do not add up.
        var correction = MediaTime.zero
        var described: [InputTrack] = []
        /// How many places the channel had when they were given theirs.
        var placeCount = 0
        /// By the container's track index; nil as long as the channel has no places for tracks.
        var tracks: [Int: Track]?
        /// The track that a stored feed is anchored on.
        var leader: Int?
        /// What is said of its speed.
        var speed = SpeedWatch()
        var held: [(track: Int, place: Int, unit: TrackReader.Unit, times: SampleTimes, arrival: MediaTime)] = []
    }

    struct Track {
        var description: InputTrack
        var reader: TrackReader
        var place: Int
        /// Captions that were seen in it.
        var captions = CaptionServices()
    }

    /// Bytes; metadata is no place for media.
    private static let longestTag = 1 << 16
    /// More samples than a server's burst has; beyond it the oldest go.
    private static let mostHeld = 20_000

    init(channel: Channel, id: InputID, pace: InputPace, alignment: InputAlignment?, clocks: SharedClocks) {
        self.channel = channel
        self.id = id
        self.pace = pace
        self.alignment = alignment
        self.clocks = clocks
        let configuration = channel.configuration
        health = Mutex(Health(meter: InputHealth(checks: configuration.checks)))
        let timeline = InputTimeline(
            source: configuration.clock,
            pace: pace,
            grid: configuration.grid,
            timecode: configuration.timecode,
            input: id.position
        )
        state = Mutex(State(timeline: timeline))
    }

    /// How it is.
    func healthReport(at now: MediaTime) -> InputHealth.Report { health.withLock { $0.meter.report(at: now) } }

    /// How it is, and what of it has changed in words.
    func judge(at now: MediaTime) -> (report: InputHealth.Report, change: String?) {
        health.withLock { health in
            let report = health.meter.report(at: now)
            // What is stored comes as it is asked for.
            guard health.hasOpened, pace != .stored else { return (report, nil) }
            return (report, health.threshold.observe(report, at: now)?.text)
        }
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        let began = channel.inputOpened(id, tracks: tracks, pace: pace)
        if began != nil { alignment?.opened(side, timestampModulus: timestampModulus) }
        let now = channel.clock.now
        health.withLock { health in
            health.meter.opened(at: now)
            health.hasOpened = true
        }
        state.withLock { state in
            if let began {
                state.timeline.opened(timestampModulus: timestampModulus, now: began)
                state.held.removeAll()
                state.tracks = nil
            }
            state.described = tracks
            findPlaces(&state)
        }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        let arrival = channel.clock.now
        state.withLock { state in
            // The channel may still wait for other inputs, or have places by now that it had not.
            if state.tracks == nil || state.placeCount != channel.placeCount.load(ordering: .relaxed) {
                findPlaces(&state)
            }
            guard let units = read(packet, payload, &state), let first = units.first else { return }
            let canAnchor = packet.trackIndex == state.leader && (first.isSync || first.isRecoveryPoint)
            let signalled = signalledTime(of: first, packet, state)
            let reception = clocks.withLock { clocks in
                state.timeline.received(
                    packet,
                    canAnchor: canAnchor,
                    arrival: arrival,
                    wallClock: channel.clock.wallClock,
                    signalled: signalled,
                    clocks: &clocks
                )
            }
            for repair in state.timeline.takeRepairs() {
                channel.record(repair.rawValue)
                if repair == .untimedPacket, pace != .live {
                    channel.lacks(
                        "its packets have no timestamps; ffmpeg -i FEED -c copy FEED.mp4 makes some",
                        input: id
                    )
                }
                if repair == .missingTimecode {
                    channel.report("it has no timecode that can be true, and is placed by its arrival", input: id)
                }
                health.withLock { $0.meter.timestampRepair(at: arrival) }
            }
            for finding in state.timeline.takeFindings() { tell(finding, at: arrival, &state) }
            observe(units, packet, reception, arrival, &state)
            noteCaptions(in: units, packet, &state)
            guard let place = state.tracks?[packet.trackIndex]?.place else { return }
            if state.timeline.isAnchored, !state.held.isEmpty { deliverHeld(&state) }
            switch reception {
            case .dropped:
                break
            case .placed(let times):
                for unit in units { deliver(unit, times, place, state, arrival) }
            case .held(let times):
                for unit in units { state.held.append((packet.trackIndex, place, unit, times, arrival)) }
                if state.timeline.isAnchored { deliverHeld(&state) }
                if state.held.count > Self.mostHeld {
                    state.held.removeFirst(Self.mostHeld / 2)
                    channel.record(RepairLog.heldTooLong)
                }
            }
        }
    }

    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        let utc: MediaTime? = state.withLock { state in
            guard let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp else { return nil }
            let offset = state.timeline.utcOffset + state.correction + state.shift
            return state.timeline.place(timestamp: timestamp).map { $0 + offset }
        }
        guard let utc, payload.byteCount <= Self.longestTag else { return }
        var bytes = ByteBuffer()
        bytes.writeBytes(payload)
        channel.received(TimedTag(utc: utc, bytes: bytes), input: id)
    }

    package func inputLost(reason: String) {
        let now = channel.clock.now
        health.withLock { $0.meter.lost(at: now) }
        channel.inputLost(id, reason: reason)
    }

    package func inputEnded() {
        state.withLock { state in
            state.timeline.ended()
            if state.timeline.isAnchored, !state.held.isEmpty { deliverHeld(&state) }
        }
        channel.inputEnded(id)
    }

    package func inputNoticed(_ notice: InputNotice) {
        channel.inputNoticed(notice, of: id)
    }

    /// A segment was cut from it that not every player can begin with.
    func dependentSegment() {
        let now = channel.clock.now
        health.withLock { $0.meter.dependentSegment(at: now) }
    }

    package func inputExamined(_ finding: ContentFinding) {
        health.withLock { $0.meter.examined(finding) }
    }
}
