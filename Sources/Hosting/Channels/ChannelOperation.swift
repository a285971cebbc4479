import Archive
import Channels
import Control
import Ingest
import MediaCore
import NIOCore
import ObjectStores
import Operations
import Playlists
import Presentation
import Recording
import Segmenting
import Timeline

/// A channel as the control API sees it.
struct ChannelOperation: OperatedChannel {
    let channel: Channels.Channel
    /// The locations of its inputs, without their secrets.
    let feeds: [InputID: String]
    let schedule: ChannelSchedule
    let journal: Journal?
    let recording: Recording?
    /// Fills holes of the recording; nil if nothing is recorded, or there is no peer.
    let healing: RecordingHealing?
    /// The finished assets of the channel; nil if it records nothing.
    let assets: (any OperatedAssets)?
    let mirror: DirectoryMirror?
    let keyFiles: KeyFiles?
    let pushes: [Push]
    let peer: PeerWatch?
    /// The thumbnails; nil if none are made.
    let thumbnails: ChannelThumbnails?

    var name: String { channel.configuration.name }

    func status(at now: MediaTime) -> ChannelStatus {
        let status = channel.latestStatus
        let window = channel.presentation.outline
        let (counted, liveEdge) = (channel.counters.renditions, channel.counters.liveEdge)
        let memory = channel.presentation.memoryUse
        let state: ChannelStatus.State =
            switch window.state {
            case .starting: .starting
            case .live: .live
            case .ended: .ended
            }
        let sources = Dictionary(uniqueKeysWithValues: status.renditions.map { ($0.id, $0.source) })
        return ChannelStatus(
            name: name,
            state: state,
            liveEdge: liveEdge.map(Timestamp.init),
            liveEdgeAge: liveEdge.map { Seconds(now - $0) },
            score: status.score,
            reasons: status.reasons,
            failures: channel.endpoint.failures(now: now),
            inputs: status.inputs.map(input),
            renditions: window.renditions.map { rendition in
                Self.rendition(rendition, counted[rendition.id], source: sources[rendition.id])
            },
            selection: ChannelStatus.Selection(
                mode: status.held.isEmpty ? .automatic : .held,
                input: (status.held.first ?? status.inputs.first(where: \.isOnAir)?.id)?.description
            ),
            memory: ChannelStatus.Memory(
                bytes: memory.bytes,
                limit: memory.limit,
                droppedEarly: memory.droppedEarly,
                problem: memory.problem
            ),
            journal: (journal?.health).map { ChannelStatus.Storage(isHealthy: $0.isHealthy, problem: $0.problem) },
            recording: recording.map { ChannelStatus.Recording($0, healing?.status, channel.configuration.grid) },
            output: outputHealth.map { ChannelStatus.Storage(isHealthy: $0.isHealthy, problem: $0.problem) },
            push: pushes.isEmpty ? nil : pushes.map { ChannelStatus.Destination($0.status) },
            peer: peer.map { ChannelStatus.Peer(url: $0.url, problem: $0.problem) }
        )
    }

    private static func rendition(
        _ rendition: WindowSnapshot.Rendition,
        _ counted: ListedCounters.Rendition?,
        source: String?
    ) -> ChannelStatus.Rendition {
        let counted = counted ?? ListedCounters.Rendition()
        let bandwidth = counted.bandwidth
        return ChannelStatus.Rendition(
            id: rendition.id.name,
            resolution: rendition.resolution.map { "\($0.width)x\($0.height)" },
            codecs: rendition.codecs,
            source: source ?? "none",
            newest: counted.newest.last.map(ChannelStatus.Rendition.Slot.init),
            segments: counted.segments,
            gaps: counted.gaps,
            peak: bandwidth?.peak,
            average: bandwidth?.average
        )
    }

    /// The worse health of the files and their keys.
    private var outputHealth: MirrorHealth? {
        let all = [mirror?.health, keyFiles?.health].compactMap(\.self)
        return all.first { !$0.isHealthy } ?? all.first
    }

    private func input(_ input: ChannelEngine.Status.Input) -> ChannelStatus.Input {
        ChannelStatus.Input(
            name: input.id.description,
            feed: feeds[input.id],
            role: input.id.rank == .primary ? .primary : .backup,
            standsByFor: input.id.rank == .primary ? nil : InputID.input(at: input.id.position).description,
            isConnected: input.health.isConnected,
            isSelected: input.isOnAir,
            score: input.health.score,
            reasons: input.health.reasons.map(\.text),
            bitrate: input.health.bitrate,
            lastKeyFrameAge: input.health.lastKeyFrameAge.map(Seconds.init),
            continuityErrors: input.health.continuityErrors.total,
            timestampErrors: input.health.timestampErrors.total,
            datagramsLost: input.health.datagramLosses == DatagramLosses() ? nil : input.health.datagramLosses,
            isFrozen: input.health.isFrozen,
            isSilent: input.health.isSilent,
            alignment: input.alignment.map { alignment in
                ChannelStatus.Input.Alignment(offset: Seconds(alignment.offset), method: alignment.text)
            }
        )
    }

    var totals: WindowSnapshot.Totals { channel.presentation.totals }

    func select(input name: String, hold: Bool, by client: String?) async throws(SelectionError) {
        let inputs = channel.configuration.inputs
        guard let input = inputs.first(where: { $0.description == name }) else {
            throw .unknownInput(name, known: inputs.map(\.description))
        }
        channel.select(input, holds: hold, by: client)
    }

    var subtitleLanguages: [String] { channel.configuration.subtitles.map(\.language) }

    func earliest(at now: MediaTime) -> MediaTime { channel.earliest(at: now) }

    func accept(_ contents: [ScheduleAction.Content], at now: MediaTime) async -> ScheduleAcceptance {
        await schedule.accept(contents, at: now)
    }

    var dateRanges: (listed: [DateRange], planned: [DateRange]) {
        let (published, planned) = channel.scheduledRanges
        let wanted = Dictionary(published.map { ($0.id, $0) }) { first, _ in first }
        return (channel.presentation.dateRanges.merged.map { wanted[$0.id] ?? $0 }, planned)
    }

    func selectAutomatically(by client: String) async {
        channel.selectAutomatically(by: client)
    }

    var onAir: OnAirStatus { OnAirStatus(channel.monitor.history) }

    func thumbnail(of input: String?) async throws(ThumbnailError) -> ByteBuffer {
        let inputs = channel.configuration.inputs.map(\.description)
        if let input, !inputs.contains(input) { throw .unknownInput(input, known: inputs) }
        guard let thumbnails else { throw .off }
        let source = input.map { thumbnails.inputs[$0] } ?? thumbnails.onAir
        guard let thumbnail = await source?.thumbnail() else { throw .nothingToShow }
        return thumbnail.bytes
    }
}

extension ChannelStatus.Rendition.Slot {
    init(_ segment: WindowSnapshot.Segment) {
        self =
            switch segment.filler {
            case .slate: .slate
            case .hold: .hold
            case nil: segment.isGap ? .gap : .media
            }
    }
}

extension ChannelStatus.Recording {
    fileprivate init(_ recording: Recording, _ healing: HealingStatus?, _ grid: SegmentGrid) {
        let (health, counts, extent) = (recording.health, recording.statistics, recording.extent)
        self.init(
            isHealthy: health.isHealthy,
            problem: health.problem,
            bytes: counts.byteCount,
            start: extent.map { Timestamp(grid.start(of: $0.lowerBound)) },
            end: extent.map { Timestamp(grid.start(of: $0.upperBound)) },
            removedEarly: counts.shedSlots,
            late: counts.late,
            lost: counts.unwritten,
            healing: healing.map {
                Healing(filled: $0.filled, missing: $0.missing, refused: $0.refused, problem: $0.problem)
            }
        )
    }
}

extension ChannelStatus.Destination {
    init(_ status: PushStatus) {
        self.init(
            url: status.name,
            problem: status.problem,
            waiting: status.waiting,
            lag: Seconds(MediaTime(status.lag)),
            backlogBytes: status.backlogBytes,
            refusedDeletions: status.refusedDeletions,
            stored: status.totals.stored,
            storedBytes: status.totals.storedBytes,
            deleted: status.totals.deleted,
            lost: status.totals.lost,
            failures: status.totals.failures.merging(status.recordings?.totals.failures ?? [:], uniquingKeysWith: +),
            delay: status.totals.delay,
            recordings: status.recordings.map { Recordings($0) }
        )
    }
}

extension ChannelStatus.Destination.Recordings {
    init(_ status: RecordingPushStatus) {
        self.init(
            waiting: status.waiting,
            sent: status.sent,
            failed: status.failed,
            removing: status.removing,
            stored: status.totals.stored,
            storedBytes: status.totals.storedBytes,
            deleted: status.totals.deleted
        )
    }
}

extension OnAirStatus {
    init(_ history: OnAirHistory) {
        self.init(
            renditions: history.renditions.map { rendition in
                Rendition(
                    id: rendition.id.name,
                    runs: rendition.runs.map {
                        Run(source: $0.source, start: Timestamp($0.start), end: Timestamp($0.end))
                    }
                )
            }
        )
    }
}
