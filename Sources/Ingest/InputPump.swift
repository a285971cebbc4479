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
    private let choice: ProgramChoice
    private let signal: StopSignal
    private var delivery: PacketDelivery

    /// What the container says of the feed; empty while it is lost.
    private var tracks: [InputTrack] = []
    /// The streams that are read, by index.
    private var streams: [InputStream?] = []
    private var modulus: Int64?
    /// Programs of the streams that carry timed ID3 metadata, by index.
    private var metadata: [Int: Int] = [:]
    /// Codec headers that packets brought, by index.
    private var newHeaders: [Int: [UInt8]] = [:]
    /// Tracks that have had an encrypted packet, by index.
    private var encrypted: Set<Int> = []
    /// Codecs that packets are of, where libavformat says another, by index.
    private var newCodecs: [Int: (old: InputTrack.Codec, new: InputTrack.Codec)] = [:]
    private var codecWatches: [Int: CodecWatch] = [:]
    /// Numbers of programs that have something to read, and of those that are read.
    private var programs: (carried: [Int], read: [Int]) = ([], [])
    /// What these were read from.
    private var shape: FormatContext.Shape?

    private var timeline = LoopTimeline()
    private var pacer = Pacer()
    private let clockStart = ContinuousClock.now

    /// So many unreadable places in a row are skipped before the feed is given up.
    private static let toleratedDamage = 64

    init(address: FeedAddress, options: InputReader.Options, consumer: any InputConsumer, signal: StopSignal) {
        self.address = address
        isLooping = options.isLooping && address.source == .file
        isPaced = options.isPaced && address.isFinite
        choice = options.programs
        self.signal = signal
        delivery = PacketDelivery(
            consumer: consumer,
            signal: signal,
            transcoding: options.audioTranscoding,
            checks: options.checks
        )
    }

    /// Opens the feed and reads it until it ends, breaks off or the signal is raised.
    mutating func run() -> End {
        var start: ContinuousClock.Instant?
        do throws(FFmpegError) {
            return try run(firstPacketAt: &start)
        } catch {
            // The next opening is news to the consumer, and a new round where the file is looped.
            tracks = []
            metadata = [:]
            programs = ([], [])
            delivery.lost()
            timeline.roundEnded()
            return .lost(reason: error.description, run: start.map { .now - $0 })
        }
    }

    private mutating func run(firstPacketAt start: inout ContinuousClock.Instant?) throws(FFmpegError) -> End {
        var context = try FormatContext(opening: address, signal: signal)
        var packet = try Packet()
        shape = nil
        (newHeaders, newCodecs, codecWatches) = ([:], [:], [:])
        encrypted = []
        streams = []
        noteTracks(of: &context)

        var damage = 0
        var isRoundEmpty = true
        while !signal.isRaised {
            switch try context.read(into: &packet) {
            case .packet:
                noteTracks(of: &context)
                noteTrack(of: packet, container: context.container)
                noteCodec(of: packet, container: context.container)
                // Without any timestamp there is nothing to pace or to publish, however often it is read.
                let isTimed = packet.presentationTimestamp ?? packet.decodeTimestamp != nil
                if deliver(packet), isTimed {
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
                // A connection that closes is a loss; so is a file without a timed packet, which a loop would spin on.
                if !address.isFinite || isRoundEmpty {
                    throw FFmpegError(code: FFmpegError.endOfFile, operation: "read")
                }
                guard isLooping else {
                    delivery.finish()
                    return .ended
                }
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
        let selection = context.selectTracks(of: choice)
        var tracks = selection.tracks
        for index in tracks.indices {
            let track = tracks[index]
            if let (old, new) = newCodecs[track.index], old == track.codec { tracks[index].codec = new }
            tracks[index].header = newHeaders[track.index] ?? track.header
            if encrypted.contains(track.index) { tracks[index].isEncrypted = true }
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

    /// Begins to read streams, and goes on with those that are what they were: of a program map that has changed, or
    /// another program's, they know nothing, and a frame may lie across it.
    private mutating func noteStreams(
        of tracks: [InputTrack],
        _ units: [TimestampUnit?],
        container: FormatContext.Container
    ) {
        let codecs = Dictionary(tracks.map { ($0.index, $0.codec) }) { first, _ in first }
        streams = units.enumerated().map { index, unit in
            guard let unit else { return nil }
            if streams.indices.contains(index), let stream = streams[index], stream.unit == unit,
                stream.codec == codecs[index]
            {
                return stream
            }
            return InputStream(unit: unit, codec: codecs[index], hasProgramMap: container.hasProgramMap)
        }
    }

    /// Tells the consumer of the tracks if the packet brings another codec header than it knows, or is the first of its
    /// track that is encrypted.
    private mutating func noteTrack(of packet: borrowing Packet, container: FormatContext.Container) {
        let index = packet.trackIndex
        let header = packet.newHeader
        if let header { newHeaders[index] = header }
        let isNewlyEncrypted = packet.isEncrypted && encrypted.insert(index).inserted
        guard header != nil || isNewlyEncrypted, let place = tracks.firstIndex(where: { $0.index == index }) else {
            return
        }
        let before = tracks[place]
        if let header { tracks[place].header = header }
        tracks[place].isEncrypted = encrypted.contains(index)
        if tracks[place] != before { delivery.tracksNamed(tracks, modulus: modulus, container: container) }
    }

    /// Reads the stream anew if the packet shows that it is of another codec than libavformat says.
    private mutating func noteCodec(of packet: borrowing Packet, container: FormatContext.Container) {
        let index = packet.trackIndex
        guard container.hasProgramMap, !packet.isCorrupt, !encrypted.contains(index),
            let old = tracks.first(where: { $0.index == index })?.codec
        else { return }
        var found: InputTrack.Codec?
        packet.withPayload { found = codecWatches[index, default: CodecWatch()].look(at: $0, of: old) }
        guard let new = found, let unit = streams[index]?.unit else { return }
        newCodecs[index] = (newCodecs[index]?.old ?? old, new)
        streams[index] = InputStream(unit: unit, codec: new, hasProgramMap: true)
        for place in tracks.indices where tracks[place].index == index {
            (tracks[place].codec, tracks[place].header) = (new, [])
        }
        delivery.tracksNamed(tracks, modulus: modulus, container: container)
    }

    /// Returns whether the packet is of a track that is read.
    private mutating func deliver(_ packet: borrowing Packet) -> Bool {
        let index = packet.trackIndex
        guard streams.indices.contains(index), let unit = streams[index]?.unit else { return false }
        if encrypted.contains(index) { return false }
        var info = PacketInfo(
            trackIndex: index,
            presentationTimestamp: ticks(packet.presentationTimestamp, unit),
            decodeTimestamp: ticks(packet.decodeTimestamp, unit),
            duration: max(0, unit.ticks(packet.duration) ?? 0),
            isCorrupt: packet.isCorrupt,
            isHidden: packet.isHidden,
            producerReferenceTime: packet.producerReferenceTime.flatMap(Timestamps.utc(microseconds:))
        )
        if let stream = streams[index], stream.isParsed {
            streams[index]?.nextReferenceTime = info.producerReferenceTime
            info.producerReferenceTime = stream.nextReferenceTime
        }
        if let program = metadata[index] {
            packet.withPayload { deliverMetadata(info, program: program, $0) }
            return true
        }
        packet.withPayload { payload in
            if let pictures = streams[index]?.hidden?.packetRead(info, payload: payload) {
                for picture in pictures { deliver(picture.info, unsafe picture.bytes.span.bytes) }
                return
            }
            // Audio that is not to be heard is left out; the first frame that is lacks no more than its overlap with it.
            if info.isHidden { return }
            guard let assembled = streams[index]?.packetRead(info, payload: payload) else { return }
            if let joined = assembled.joined { deliver(joined.info, unsafe joined.bytes.span.bytes) }
            if !assembled.whole.isEmpty { deliver(info, payload.extracting(assembled.whole)) }
        }
        return true
    }

    /// Delivers what waits for a packet that will not come.
    private mutating func deliverHeld() {
        for index in streams.indices {
            for picture in streams[index]?.hidden?.finish() ?? [] {
                deliver(picture.info, unsafe picture.bytes.span.bytes)
            }
            guard let held = streams[index]?.finish() else { continue }
            deliver(held.info, unsafe held.bytes.span.bytes)
        }
    }

    private mutating func deliver(_ info: PacketInfo, _ payload: RawSpan) {
        // Opus in a transport stream: each packet to itself, without its control header.
        guard streams[info.trackIndex]?.hasControlHeaders == true else {
            return deliverFrames(info, payload, prefix: 0)
        }
        var (info, rest) = (info, payload)
        while let frame = FrameSyntax.opus.header(rest), frame.byteCount <= rest.byteCount {
            deliverFrames(info, rest.extracting(first: frame.byteCount), prefix: frame.prefixByteCount)
            rest = rest.extracting(droppingFirst: frame.byteCount)
            (info.presentationTimestamp, info.decodeTimestamp) = (nil, nil)
        }
    }

    private mutating func deliverFrames(_ info: PacketInfo, _ payload: RawSpan, prefix: Int) {
        var info = info
        streams[info.trackIndex]?.clock?.packetRead(&info, payload: payload, modulus: modulus)
        if isLooping { timeline.packetRead(&info) }
        if isPaced { hold(info) }
        delivery.packetRead(info, payload: payload.extracting(droppingFirst: prefix))
    }

    /// FFmpeg 5.1 takes the first five bytes of a tag for the header of a metadata access unit cell, which ID3 has none of,
    /// and drops them: `ID3` and the version, which is 4.0 here as everywhere in HLS.
    private mutating func deliverMetadata(_ info: PacketInfo, program: Int, _ payload: RawSpan) {
        let head: [UInt8] = [0x49, 0x44, 0x33, 0x04, 0x00]
        var tag = unsafe payload.withUnsafeBytes { unsafe Array($0) }
        if !tag.starts(with: head.prefix(3)) { tag = head + tag }
        var info = info
        if isLooping { timeline.packetRead(&info) }
        delivery.metadataRead(info, program: program, unsafe tag.span.bytes)
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
