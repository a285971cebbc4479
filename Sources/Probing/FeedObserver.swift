import MediaCore
import Playlists
import Segmenting
import Timeline

/// Analyses a feed by its tracks and packets.
///
/// It has neither clock nor I/O.
struct FeedObserver: Sendable {
    private let feed: FeedLocation
    private var tracks: [TrackObserver] = []
    private var modulus: Int64?
    private var programs: FeedReport.Programs?
    private var splices: FeedReport.Splices?
    private var tags: Int?
    /// Faults of the pages of teletext that cannot be read.
    private var teletext: [Int: TeletextFault] = [:]
    private var losses: [String] = []
    private var datagramLosses = DatagramLosses()
    /// Addresses of those that have sent it, where there was more than one.
    private var senders: Set<String> = []
    private var arrivals = ArrivalWatch()

    /// - Parameter feed: The location of the feed.
    init(_ feed: FeedLocation) {
        self.feed = feed
    }

    /// The feed is open, for the first time, again, or with other tracks.
    mutating func opened(_ tracks: [InputTrack], modulus: Int64?) {
        let before = self.tracks
        self.tracks = tracks.map { track in
            before.first { $0.track == track && self.modulus == modulus } ?? TrackObserver(track, modulus: modulus)
        }
        self.modulus = modulus
    }

    /// Takes a packet.
    ///
    /// - Parameters:
    ///   - packet: Its timestamps.
    ///   - payload: Its bytes.
    ///   - arrival: The time of its arrival, by a clock that never goes back.
    mutating func received(_ packet: PacketInfo, _ payload: RawSpan, at arrival: MediaTime) {
        guard let place = tracks.firstIndex(where: { $0.track.index == packet.trackIndex }) else { return }
        let isContinuous = tracks[place].received(packet, payload)
        guard place == leading else { return }
        if !isContinuous { arrivals.interrupted() }
        if let decode = tracks[place].decode { arrivals.received(media: decode, at: arrival) }
    }

    /// A tag of timed metadata came.
    mutating func receivedMetadata() { tags = (tags ?? 0) + 1 }

    /// A section of SCTE-35 came.
    mutating func receivedSplice(_ section: RawSpan) {
        var known = splices ?? FeedReport.Splices(sections: 0, unreadable: 0, unregisteredPIDs: [])
        known.sections += 1
        if (try? SpliceMessage(reading: section)) == nil { known.unreadable += 1 }
        splices = known
    }

    /// A notice about it came.
    mutating func noticed(_ notice: InputNotice) {
        switch notice {
        case .programs(let carried, let read): programs = FeedReport.Programs(carried: carried, read: read)
        case .metadata: tags = tags ?? 0
        case .unregisteredSplices(_, let pids):
            var known = splices ?? FeedReport.Splices(sections: 0, unreadable: 0, unregisteredPIDs: [])
            known.unregisteredPIDs = pids
            splices = known
        case .teletextUnreadable(_, let pages, let fault): for page in pages { teletext[page] = fault }
        case .teletextReadable(_, let pages, _): for page in pages { teletext[page] = nil }
        case .unreadableSplice, .textNotRead, .notTranscoded, .undecodableFrame, .notExamined, .publisherRefused,
            .publisherCutOff, .publishersCrowded, .library:
            break
        case .datagramsLost(let more): datagramLosses = datagramLosses + more
        case .senderChanged(let before, let now): senders.formUnion([before, now])
        case .severalSenders(let one, let other): senders.formUnion([one, other])
        }
    }

    /// Notes that the feed broke off.
    mutating func lost(reason: String) {
        losses.append(reason)
        arrivals.interrupted()
        for place in tracks.indices { tracks[place].interrupted() }
    }

    /// The time that was read, by the feed's own timestamps.
    var span: MediaTime { MediaTime(ticks: tracks.map(\.rates.span).max() ?? 0) }

    /// True if any track could be read.
    var hasMedia: Bool { tracks.contains { $0.configuration != nil } }

    /// The track that arrivals are measured by: pictures come as they are made.
    private var leading: Int? {
        tracks.firstIndex { $0.track.kind == .video } ?? tracks.firstIndex { $0.track.kind == .audio }
    }

    /// Returns a report of the feed so far.
    func report() -> FeedReport {
        let carriage = Carriage(format: .fmp4, isSampleEncrypted: false)
        var reports = tracks.map(\.report)
        var carried: [Int] = []
        for (place, observer) in tracks.enumerated() {
            switch carriage.verdict(on: observer.track) {
            case .refused(let reason): reports[place].leftOut = reason
            case .carried where observer.configuration == nil && !observer.track.kind.isSparse:
                reports[place].leftOut = "nothing of it could be read"
            case .carried: carried.append(place)
            }
        }
        let names = RenditionForecast.names(of: carried.map { (tracks[$0].track, tracks[$0].configuration) })
        for (place, name) in zip(carried, names) { reports[place].rendition = name?.name }
        let arrival = feed.isFinite ? nil : arrivals.report
        let hasClock = tracks.contains { [.video, .audio].contains($0.track.kind) && $0.configuration != nil }
        var report = FeedReport(
            feed: feed.description,
            seconds: span.seconds.rounded(to: 3),
            programs: programs,
            tracks: reports,
            splices: splices,
            timedMetadata: tags,
            timing: FeedReport.Timing(
                damagedPackets: tracks.reduce(0) { $0 + $1.damaged },
                unreadablePackets: tracks.reduce(0) { $0 + $1.unreadable },
                discontinuities: tracks.reduce(0) { $0 + $1.discontinuities },
                missingTimestamps: tracks.reduce(0) { $0 + $1.missingTimestamps },
                losses: losses.count,
                datagramsLost: datagramLosses == DatagramLosses() ? nil : datagramLosses,
                senders: senders.isEmpty ? nil : senders.sorted(),
                jitter: arrival?.jitter,
                driftPPM: arrival?.driftPPM
            ),
            publication: Self.publication(of: hasClock ? reports.compactMap(\.rendition) : []),
            advice: [],
            verdict: ""
        )
        report.advise(lost: losses.last, unreadable: teletext)
        return report
    }

    /// The publication with the defaults of all settings.
    private static func publication(of renditions: [String]) -> FeedReport.Publication {
        let grid = SegmentGrid(slotDuration: FeedReport.usualSegment)
        return FeedReport.Publication(
            isPossible: !renditions.isEmpty,
            renditions: renditions,
            segmentDuration: grid.slotDuration.seconds,
            targetDuration: grid.targetDuration,
            latency: grid.targetDuration * 3
        )
    }
}
