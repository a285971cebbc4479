import MediaCore

/// Announces tracks to the consumer and delivers their packets, once the tracks are known.
///
/// The first packets are held back if the container leaves facts open, as long as tracks may be apart in a feed. A
/// track that is still unknown then, or comes later, is announced with its first packet.
struct PacketDelivery: ~Copyable {
    private let consumer: any InputConsumer
    private let signal: StopSignal
    private let transcoding: AudioTranscoding
    /// The check of pictures and audio; nil if it is not wanted.
    private let examiner: ContentExaminer?

    /// The tracks as the container describes them, and the number of ticks after which its timestamps wrap.
    private var described: [InputTrack] = []
    private var modulus: Int64?
    /// The tracks that the consumer knows.
    private var announced: [InputTrack] = []
    private var announcedModulus: Int64?
    private var listed: Set<InputTrackIndex> = []
    private var probes: [InputTrackIndex: TrackProbe] = [:]
    private var findings: [InputTrackIndex: (of: InputTrack, TrackProbe.Finding)] = [:]
    private var transcoders: [InputTrackIndex: AudioTranscoder] = [:]
    /// The transcoders that do not know their output yet.
    private var unprepared: Set<InputTrackIndex> = []
    /// The tracks whose first packet will show if they are encrypted.
    private var unseen: Set<InputTrackIndex> = []
    /// The packets held back; nil once the tracks are announced.
    private var held: HeldPackets?

    init(consumer: any InputConsumer, signal: StopSignal, transcoding: AudioTranscoding, checks: ContentChecks) {
        self.consumer = consumer
        self.signal = signal
        self.transcoding = transcoding
        examiner = checks == ContentChecks() ? nil : ContentExaminer(checks, consumer: consumer)
    }

    deinit {
        examiner?.finish()
    }

    /// Takes the tracks of the container, the first or changed ones.
    ///
    /// - Parameters:
    ///   - tracks: The tracks; empty if there are none any more.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    ///   - container: The container that names them.
    mutating func tracksNamed(_ tracks: [InputTrack], modulus: Int64?, container: FormatContext.Container) {
        let isFirst = described.isEmpty
        if isFirst, container.mayHideEncryption { unseen = Set(tracks.filter { !$0.kind.isSparse }.map(\.index)) }
        unseen.formIntersection(tracks.lazy.filter(\.isSupported).map(\.index))
        (described, self.modulus) = (tracks, modulus)
        let places = Dictionary(tracks.map { ($0.index, $0) }) { first, _ in first }
        findings = findings.filter { places[$0.key].map($0.value.of.isReadLike) == true }
        probes = [:]
        if container.hasProgramMap {
            for (index, track) in places where findings[index] == nil { probes[index] = TrackProbe(track) }
        }
        chooseTranscoders()
        if isFirst, !isComplete { held = HeldPackets(modulus: modulus) }
        if isComplete { release() }
        announce()
    }

    /// A packet of whole frames or pictures came.
    mutating func packetRead(_ info: PacketInfo, payload: RawSpan) {
        let index = info.trackIndex
        if let probe = probes[index], probe.look(at: payload) { conclude(index, probe) }
        guard held != nil else { return deliver(info, payload) }
        if unprepared.contains(index) { prepare(index, payload) }
        unseen.remove(index)
        held?.append(info, payload)
        if isComplete || held?.isFull == true { release() }
    }

    /// An ID3 tag came.
    func metadataRead(_ info: PacketInfo, program: Int, _ payload: RawSpan) {
        if !signal.isRaised { consumer.inputReceivedMetadata(info, program: program, payload: payload) }
    }

    /// A section of SCTE-35 came.
    func spliceRead(_ section: RawSpan, program: Int?, shift: Int64) {
        if !signal.isRaised { consumer.inputReceivedSplice(section, program: program, shift: shift) }
    }

    /// Delivers all waiting packets, because none follow for now.
    mutating func finish() {
        release()
        for index in transcoders.keys.sorted() { deliver(transcoders[index]?.finish() ?? []) }
    }

    /// Resets the state, because the packets that follow may differ.
    mutating func lost() {
        finish()
        (described, announced, listed) = ([], [], [])
        (probes, findings, transcoders, unprepared) = ([:], [:], [:], [])
        unseen = []
    }

    /// Passes on a notice about the input.
    func notice(_ notice: InputNotice) {
        if !signal.isRaised { consumer.inputNoticed(notice) }
    }

    // MARK: Tracks

    private var isComplete: Bool { probes.isEmpty && unprepared.isEmpty && unseen.isEmpty }

    private mutating func conclude(_ index: InputTrackIndex, _ probe: TrackProbe) {
        guard let track = described.first(where: { $0.index == index }) else { return }
        probes[index] = nil
        findings[index] = (of: track, probe.finding)
        chooseTranscoders()
        announce()
    }

    /// The completely described tracks.
    private var known: [InputTrack] {
        described.compactMap { track in
            guard probes[track.index] == nil else { return nil }
            var track = track
            if let finding = findings[track.index]?.1 {
                (track.codec, track.objectTypeHint) = (finding.codec, finding.objectTypeHint)
            }
            return track
        }
    }

    private mutating func chooseTranscoders() {
        // A track that is not known yet may make transcoding needless.
        guard transcoding != .none, held == nil || probes.isEmpty else { return }
        let known = known
        let chosen = transcoding.choose(from: known.filter { !$0.isEncrypted })
        for index in transcoders.keys.sorted() where !chosen.contains(index) {
            deliver(transcoders[index]?.finish() ?? [])
            transcoders[index] = nil
            unprepared.remove(index)
        }
        for track in known where chosen.contains(track.index) {
            if let before = transcoders[track.index], before.source.isReadLike(track) { continue }
            do throws(FFmpegError) {
                transcoders[track.index] = try AudioTranscoder(track, modulus: modulus)
                unprepared.insert(track.index)
                held?.forEach(of: track.index) { prepare(track.index, $0) }
            } catch {
                notice(.notTranscoded(track: track.index, reason: error.description))
            }
        }
    }

    private mutating func prepare(_ index: InputTrackIndex, _ payload: RawSpan) {
        guard unprepared.contains(index), let (isReady, notices) = transcoders[index]?.prepare(payload), isReady else {
            return
        }
        unprepared.remove(index)
        deliver(notices)
    }

    /// Tells the consumer of the tracks if they are not those that it knows.
    private mutating func announce() {
        guard held == nil else { return }
        let known = known
        let transcoded = known.compactMap { track in transcoders[track.index]?.track(beside: track) }
        let tracks = known + transcoded
        listed = Set(tracks.map(\.index))
        guard tracks != announced || modulus != announcedModulus, !signal.isRaised else { return }
        let isLoss = tracks.isEmpty && !announced.isEmpty
        (announced, announcedModulus) = (tracks, modulus)
        examiner?.tracksNamed(tracks)
        if isLoss {
            consumer.inputLost(reason: "the program is no longer in the feed")
        } else if !tracks.isEmpty {
            consumer.inputOpened(tracks: tracks, timestampModulus: modulus)
        }
    }

    // MARK: Packets

    private mutating func release() {
        guard let packets = held else { return }
        // AAC without packets is what its name says; MPEG audio without packets has no known layer.
        for (index, probe) in probes.sorted(by: { $0.key < $1.key }) where probe.finding.codec == .aac {
            conclude(index, probe)
        }
        // Only now, so that all are announced at once.
        held = nil
        unseen = []
        chooseTranscoders()
        announce()
        packets.forEach { deliver($0, $1) }
    }

    private mutating func deliver(_ info: PacketInfo, _ payload: RawSpan) {
        guard listed.contains(info.trackIndex) else { return }
        // Nothing more reaches the consumer of a reader that was stopped.
        if !signal.isRaised { receive(info, payload) }
        if let transcoder = transcoders[info.trackIndex] { deliver(transcoder.packetRead(info, payload: payload)) }
    }

    private func receive(_ info: PacketInfo, _ payload: RawSpan) {
        consumer.inputReceived(info, payload: payload)
        // It examines packets that the consumer knows.
        examiner?.packetRead(info, payload: payload)
    }

    private mutating func deliver(_ events: [AudioTranscoder.Event]) {
        for event in events where !signal.isRaised {
            switch event {
            case .header: announce()
            case .frame(let info, let bytes): receive(info, unsafe bytes.span.bytes)
            case .notice(let notice): consumer.inputNoticed(notice)
            }
        }
    }
}

extension InputTrack {
    /// Returns true if the findings about the one hold for the other.
    fileprivate func isReadLike(_ other: InputTrack) -> Bool {
        index == other.index && codec == other.codec && header == other.header
    }
}
