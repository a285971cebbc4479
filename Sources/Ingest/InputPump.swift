import MediaCore

/// Carries packets from libavformat to the consumer, and remembers what outlives one opening of the feed.
struct InputPump: ~Copyable {
    enum End {
        /// A finite feed was read to its end, or the signal was raised.
        case ended
        /// A looped file that cannot seek is to be opened again.
        case startsOver
        /// The feed broke off, so long after its first packet (nil if there was none).
        case lost(reason: String, run: Duration?)
    }

    private let address: FeedAddress
    private let isLooping: Bool
    private let isPaced: Bool
    private let consumer: any InputConsumer
    private let signal: StopSignal

    /// What the consumer knows of the feed; empty while it is lost.
    private var tracks: [InputTrack] = []
    /// The streams that are read, by index.
    private var streams: [Stream?] = []
    private var modulus: Int64?
    /// Codec headers that packets brought, by index.
    private var newHeaders: [Int: [UInt8]] = [:]
    /// What the three above were read from.
    private var shape: FormatContext.Shape?

    private var timeline = LoopTimeline()
    private var pacer = Pacer()
    private let clockStart = ContinuousClock.now

    private struct Stream {
        let unit: TimestampUnit
        var clock: FrameClock?
        /// Whether libavformat parses it: then a packet has the producer reference time of the one behind it, which it
        /// took to see where the packet ends.
        var isParsed = false
        /// The producer reference time of the packet that comes next, where it is parsed.
        var nextReferenceTime: MediaTime?
        // Only where packets are PES packets.
        var frames: FrameAssembler?
        var accessUnits: AccessUnitAssembler?

        mutating func packetRead(_ info: PacketInfo, payload: RawSpan) -> AssembledPayload {
            frames?.packetRead(info, payload: payload)
                ?? accessUnits?.packetRead(info, payload: payload)
                ?? AssembledPayload(whole: 0..<payload.byteCount)
        }
    }

    /// So many unreadable places in a row are skipped before the feed is given up.
    private static let toleratedDamage = 64

    init(address: FeedAddress, options: InputReader.Options, consumer: any InputConsumer, signal: StopSignal) {
        self.address = address
        isLooping = options.isLooping && address.source == .file
        isPaced = options.isPaced && address.isFinite
        self.consumer = consumer
        self.signal = signal
    }

    /// Opens the feed and reads it until it ends, breaks off or the signal is raised.
    mutating func run() -> End {
        var start: ContinuousClock.Instant?
        do throws(FFmpegError) {
            return try run(firstPacketAt: &start)
        } catch {
            // The next opening is news to the consumer, and a new round where the file is looped.
            tracks = []
            timeline.roundEnded()
            return .lost(reason: error.description, run: start.map { .now - $0 })
        }
    }

    private mutating func run(firstPacketAt start: inout ContinuousClock.Instant?) throws(FFmpegError) -> End {
        var context = try FormatContext(opening: address, signal: signal)
        var packet = try Packet()
        shape = nil
        newHeaders = [:]
        noteTracks(of: &context)

        var damage = 0
        var isRoundEmpty = true
        while !signal.isRaised {
            switch try context.read(into: &packet) {
            case .packet:
                noteTracks(of: &context)
                noteHeader(of: packet)
                if deliver(packet) {
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
                deliverHeld()
                // A connection that closes is a loss; so is a file without a packet, which a loop would spin on.
                if !address.isFinite || isRoundEmpty {
                    throw FFmpegError(code: FFmpegError.endOfFile, operation: "read")
                }
                guard isLooping else { return .ended }
                timeline.roundEnded()
                isRoundEmpty = true
                do throws(FFmpegError) { try context.rewind() } catch { return .startsOver }
            }
        }
        return .ended
    }

    /// Tells the consumer of the tracks if they are not those that it knows.
    private mutating func noteTracks(of context: inout FormatContext) {
        let shape = context.shape
        guard shape != self.shape else { return }
        self.shape = shape
        let selection = context.selectTracks()
        streams = selection.units.map { unit in unit.map { Stream(unit: $0) } }
        for track in selection.tracks {
            if track.codec == .aac { streams[track.index]?.clock = FrameClock() }
            guard context.hasProgramMap else {
                streams[track.index]?.isParsed = track.codec == .h264
                continue
            }
            if track.codec == .aac { streams[track.index]?.frames = FrameAssembler() }
            if track.codec == .h264 { streams[track.index]?.accessUnits = AccessUnitAssembler() }
        }
        let moduli = Set(selection.units.lazy.compactMap { $0 }.map(\.modulus))
        let modulus = moduli.count == 1 ? moduli.first ?? nil : nil
        var tracks = selection.tracks
        for index in tracks.indices { tracks[index].header = newHeaders[tracks[index].index] ?? tracks[index].header }
        guard !tracks.isEmpty, tracks != self.tracks || modulus != self.modulus else { return }
        self.modulus = modulus
        timeline.modulus = modulus
        pacer.modulus = modulus
        self.tracks = tracks
        consumer.inputOpened(tracks: tracks, timestampModulus: modulus)
    }

    /// Tells the consumer of the tracks if the packet brings another codec header than it knows.
    private mutating func noteHeader(of packet: borrowing Packet) {
        guard let header = packet.newHeader else { return }
        newHeaders[packet.trackIndex] = header
        guard let place = tracks.firstIndex(where: { $0.index == packet.trackIndex }), tracks[place].header != header
        else { return }
        tracks[place].header = header
        consumer.inputOpened(tracks: tracks, timestampModulus: modulus)
    }

    /// Returns whether the packet is of a track that is read.
    private mutating func deliver(_ packet: borrowing Packet) -> Bool {
        let index = packet.trackIndex
        guard streams.indices.contains(index), let unit = streams[index]?.unit else { return false }
        var info = PacketInfo(
            trackIndex: index,
            presentationTimestamp: ticks(packet.presentationTimestamp, unit),
            decodeTimestamp: ticks(packet.decodeTimestamp, unit),
            duration: max(0, unit.ticks(packet.duration) ?? 0),
            isCorrupt: packet.isCorrupt,
            producerReferenceTime: packet.producerReferenceTime.flatMap(Timestamps.utc(microseconds:))
        )
        if let stream = streams[index], stream.isParsed {
            streams[index]?.nextReferenceTime = info.producerReferenceTime
            info.producerReferenceTime = stream.nextReferenceTime
        }
        packet.withPayload { payload in
            guard let assembled = streams[index]?.packetRead(info, payload: payload) else { return }
            if let joined = assembled.joined { deliver(joined.info, unsafe joined.bytes.span.bytes) }
            if !assembled.whole.isEmpty { deliver(info, payload.extracting(assembled.whole)) }
        }
        return true
    }

    /// Delivers what waits for a packet that will not come.
    private mutating func deliverHeld() {
        for index in streams.indices {
            guard let held = streams[index]?.accessUnits?.finish() else { continue }
            deliver(held.info, unsafe held.bytes.span.bytes)
        }
    }

    private mutating func deliver(_ info: PacketInfo, _ payload: RawSpan) {
        var info = info
        streams[info.trackIndex]?.clock?.packetRead(&info, payload: payload, modulus: modulus)
        if isLooping { timeline.packetRead(&info) }
        if isPaced { hold(info) }
        // Nothing more reaches the consumer of a reader that was stopped.
        if !signal.isRaised { consumer.inputReceived(info, payload: payload) }
    }

    private func ticks(_ timestamp: Int64?, _ unit: TimestampUnit) -> Int64? {
        guard let timestamp, let ticks = unit.ticks(timestamp) else { return nil }
        return Timestamps.reduce(ticks, modulus: modulus)
    }

    /// Waits until the packet is due.
    private mutating func hold(_ packet: PacketInfo) {
        guard let timestamp = packet.decodeTimestamp else { return }
        let now = ContinuousClock.now - clockStart
        _ = signal.wait(for: pacer.packetRead(track: packet.trackIndex, decodeTimestamp: timestamp, now: now))
    }
}
