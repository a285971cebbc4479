import MediaCore

/// Carries packets from libavformat to the consumer, and keeps the state that outlives one opening of the feed.
struct InputPump: ~Copyable {
    enum End {
        /// A finite feed was read to its end, or the signal was raised.
        case ended
        /// A looped file that cannot seek is to be opened again.
        case startsOver
        /// The feed broke off, so long after its first packet (nil if there was none).
        case lost(FFmpegError, run: Duration?)
    }

    let address: FeedAddress
    let isLooping: Bool
    let isPaced: Bool
    private let choice: ProgramChoice
    private let splicePIDs: [SplicePID]
    private let allowedPublishers: [AddressRange]
    /// The place where publishers are waited for, from the first opening on.
    private var point: PublishingPoint?
    /// Lets callers of SRT in, from the first opening on.
    private var callerSocket: CallerSocket?
    private let refusals: RefusalReporter
    let signal: StopSignal
    /// Opens a feed that another reader can continue with; nil for any other.
    private let source: (FeedAddress, StopSignal) throws(FFmpegError) -> FeedSource?
    private let progress: ReadingProgress
    var delivery: PacketDelivery

    /// The tracks as the container has them; empty while the feed is lost.
    var tracks: [InputTrack] = []
    /// The streams that are read, by index.
    var streams: [InputStream?] = []
    var modulus: Int64?
    /// Programs of the streams that carry timed ID3 metadata, by index.
    var metadata: [Int: Int] = [:]
    /// Programs of the streams that carry SCTE-35, by index.
    var splices: [Int: Int] = [:]
    /// PIDs of streams of type 0x86 that are not read, by program.
    private var unregisteredSplices: [Int: [Int]] = [:]
    /// Readers of the streams that have text, by index.
    var text: [Int: [TextTrackReader]] = [:]
    private var textStreams: [TextStream] = []
    /// Streams of teletext, by index; their reports outlive an opening.
    var teletext: [Int: TeletextStream] = [:]
    /// The time since the arrival of the present packet at this machine, in 90 kHz ticks; 0 if unknown.
    var age: Int64 = 0
    /// The newest timestamp of video or audio, in 90 kHz ticks; nil before there is any.
    var newest: Int64?
    private let subtitles: FeedSubtitles
    /// Codec headers that packets brought, by index.
    var newHeaders: [Int: [UInt8]] = [:]
    /// The tracks that have had an encrypted packet, by index.
    var encrypted: Set<Int> = []
    /// Codecs that packets are of, where libavformat says another, by index.
    var newCodecs: [Int: (old: InputTrack.Codec, new: InputTrack.Codec)] = [:]
    var codecWatches: [Int: CodecWatch] = [:]
    /// Numbers of programs that have something to read, and of those that are read.
    private(set) var programs: (carried: [Int], read: [Int]) = ([], [])
    /// The shape of the container that these were read from.
    private var shape: FormatContext.Shape?

    var timeline = LoopTimeline()
    var pacer = Pacer()
    let clockStart = ContinuousClock.now

    /// The number of unreadable places in a row that are skipped before the feed is given up.
    private static let toleratedDamage = 64

    init(
        address: FeedAddress,
        options: InputReader.Options,
        consumer: any InputConsumer,
        signal: StopSignal,
        progress: ReadingProgress,
        source: @escaping (FeedAddress, StopSignal) throws(FFmpegError) -> FeedSource?
    ) {
        self.source = source
        self.address = address
        isLooping = options.isLooping && address.feed.kind == .file
        isPaced = options.isPaced && address.feed.isFinite
        choice = options.programs
        subtitles = options.subtitles
        splicePIDs = options.splicePIDs
        allowedPublishers = options.allowedPublishers
        refusals = RefusalReporter(signal: signal) { consumer.inputNoticed($0) }
        self.signal = signal
        self.progress = progress
        delivery = PacketDelivery(
            consumer: consumer,
            signal: signal,
            transcoding: options.audioTranscoding,
            checks: options.checks
        )
    }

    deinit {
        point?.close()
        callerSocket?.close()
    }

    /// Opens the feed and reads it until it ends, breaks off or the signal is raised.
    mutating func run() -> End {
        var start: ContinuousClock.Instant?
        do throws(FFmpegError) {
            return try run(firstPacketAt: &start)
        } catch {
            // The consumer is told of the next opening, which is a new round if the file is looped.
            tracks = []
            metadata = [:]
            splices = [:]
            unregisteredSplices = [:]
            programs = ([], [])
            delivery.lost()
            timeline.roundEnded()
            return .lost(error, run: start.map { .now - $0 })
        }
    }

    private mutating func run(firstPacketAt start: inout ContinuousClock.Instant?) throws(FFmpegError) -> End {
        var context = try open()
        var packet = try Packet()
        progress.began(byteCount: context.byteCount)
        forgetStreams()
        noteTracks(of: &context)

        var damage = 0
        var isRoundEmpty = true
        while !signal.isRaised {
            switch try context.read(into: &packet) {
            case .packet:
                if try packetRead(packet, from: &context) {
                    if start == nil { start = .now }
                    isRoundEmpty = false
                }
                packet.release()
                damage = 0
            case .nothing:
                _ = signal.wait(for: .milliseconds(10))
            case .damage:
                damage += 1
                if damage > Self.toleratedDamage { throw FFmpegError(code: FFmpegError.invalidData, operation: "read") }
            case .end:
                if let end = try roundEnded(of: &context, isEmpty: isRoundEmpty) { return end }
                isRoundEmpty = true
            }
        }
        return .ended
    }

    private mutating func open() throws(FFmpegError) -> FormatContext {
        if let publishing = address.publishing, point == nil {
            point = try .open(publishing, allowed: allowedPublishers, signal: signal, refusals: refusals)
        }
        var address = address
        if let gate = address.gate {
            if callerSocket == nil { callerSocket = try CallerSocket(gate, refusals: refusals) }
            if let port = try callerSocket?.nextListener() { address.url = gate.listenerURL(port: port) }
        }
        return try FormatContext(
            opening: address,
            shared: source(address, signal),
            from: point,
            splicePIDs: splicePIDs,
            signal: signal
        )
    }

    /// Forgets the streams of an earlier opening.
    private mutating func forgetStreams() {
        shape = nil
        (newHeaders, newCodecs, codecWatches) = ([:], [:], [:])
        encrypted = []
        streams = []
        (text, textStreams, newest) = ([:], [], nil)
    }

    /// Delivers a packet.
    ///
    /// - Returns: True if it is of a track that is read and has a timestamp.
    /// - Throws: ``FFmpegError`` if the feed is another one since.
    private mutating func packetRead(
        _ packet: borrowing Packet,
        from context: inout FormatContext
    ) throws(FFmpegError) -> Bool {
        progress.reached(packet.position)
        age = context.age.map { MediaTime($0).ticks } ?? 0
        noteTracks(of: &context)
        noteTrack(of: packet, container: context.container)
        try noteCodec(of: packet, container: context.container)
        if let tap = context.tap { deliver(tap.takeSections(before: packet.position)) }
        // Without any timestamp there is nothing to pace or to publish, however often it is read.
        let (shown, decoded) = (packet.presentationTimestamp, packet.decodeTimestamp)
        return deliver(packet) && (shown != nil || decoded != nil)
    }

    /// Delivers the rest of a feed at its end, and begins again if it is looped.
    ///
    /// - Returns: The end of the run; nil if the next round begins.
    /// - Throws: ``FFmpegError`` if the end of the feed is a loss.
    private mutating func roundEnded(of context: inout FormatContext, isEmpty: Bool) throws(FFmpegError) -> End? {
        if let tap = context.tap { deliver(tap.takeSections(before: nil)) }
        deliverHeld()
        // A connection that closes is a loss; so is a file without a timed packet, which a loop would spin on.
        if !address.feed.isFinite || isEmpty { throw FFmpegError(code: FFmpegError.endOfFile, operation: "read") }
        guard isLooping else {
            delivery.finish()
            return .ended
        }
        timeline.roundEnded()
        do throws(FFmpegError) { try context.rewind() } catch { return .startsOver }
        return nil
    }

    /// Tells the consumer of the tracks if they are not those that it knows.
    private mutating func noteTracks(of context: inout FormatContext) {
        let shape = context.shape
        guard shape != self.shape else { return }
        self.shape = shape
        let selection = context.selectTracks(of: choice, subtitles: subtitles)
        var tracks = selection.tracks
        for place in tracks.indices {
            let (track, index) = (tracks[place], tracks[place].index.value)
            if let (old, new) = newCodecs[index], old == track.codec { tracks[place].codec = new }
            tracks[place].header = newHeaders[index] ?? track.header
            if encrypted.contains(index) { tracks[place].isEncrypted = true }
        }
        noteStreams(of: tracks, selection.units, container: context.container)
        let moduli = Set(selection.units.lazy.compactMap { $0 }.map(\.modulus))
        let modulus = moduli.count == 1 ? moduli.first ?? nil : nil
        if tracks != self.tracks || modulus != self.modulus {
            self.modulus = modulus
            timeline.modulus = modulus
            pacer.modulus = modulus
            self.tracks = tracks
            delivery.tracksNamed(tracks, modulus: modulus, container: context.container)
        }
        noteText(selection.text)
        if let service = selection.textAlone { delivery.notice(.textNotRead(service, .noMedia)) }
        // Splices that the tap finds in the bytes are not read twice.
        splices = context.tap == nil ? selection.splices : [:]
        if splicePIDs.isEmpty, unregisteredSplices != selection.unregisteredSplices {
            unregisteredSplices = selection.unregisteredSplices
            for (program, pids) in unregisteredSplices.sorted(by: { $0.key < $1.key }) {
                delivery.notice(.unregisteredSplices(program: program, pids: pids))
            }
        }
        if metadata != selection.metadata {
            metadata = selection.metadata
            for program in Set(metadata.values).sorted() { delivery.notice(.metadata(program: program)) }
        }
        let read = Set(tracks.compactMap(\.program)).sorted()
        if let carried = selection.programs, carried != programs.carried || read != programs.read {
            programs = (carried, read)
            delivery.notice(.programs(carried: carried, read: read))
        }
    }

    /// Begins to read the text of streams, and continues with unchanged ones.
    private mutating func noteText(_ streams: [TextStream]) {
        guard streams != textStreams else { return }
        let before = Dictionary(textStreams.map { ($0.index, $0) }) { first, _ in first }
        textStreams = streams
        var readers: [Int: [TextTrackReader]] = [:]
        for stream in streams {
            if before[stream.index] == stream, let known = text[stream.index] {
                readers[stream.index] = known
                continue
            }
            for (track, header) in zip(stream.tracks, stream.headers) {
                do throws(FFmpegError) {
                    let reader = try TextTrackReader(track, stream.format, header: header, modulus: modulus)
                    readers[stream.index, default: []].append(reader)
                } catch {
                    delivery.notice(.textNotRead(track.service ?? .track, .library(error.description)))
                }
            }
        }
        text = readers
        noteTeletext(streams)
    }

    /// Begins to read streams, and continues with those that are unchanged: a changed program map, or another
    /// program's, does not concern them, and a frame may lie across it.
    private mutating func noteStreams(
        of tracks: [InputTrack],
        _ units: [TimestampUnit?],
        container: FormatContext.Container
    ) {
        let tracks = Dictionary(tracks.map { ($0.index.value, $0) }) { first, _ in first }
        streams = units.enumerated().map { index, unit in
            guard let unit else { return nil }
            if streams.indices.contains(index), let stream = streams[index], stream.reads(tracks[index], in: unit) {
                return stream
            }
            return InputStream(unit: unit, track: tracks[index], hasProgramMap: container.hasProgramMap)
        }
    }
}
