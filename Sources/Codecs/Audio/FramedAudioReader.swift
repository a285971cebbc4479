import MediaCore

/// Finds the frames of a codec that frames itself, whether or not packets begin and end with them.
struct FramedAudioReader<Framing: AudioFraming>: AudioFrameReader {
    private(set) var codecConfiguration: CodecConfiguration?

    private let framing: Framing
    private var stream: Framing.Header.Stream?
    private var reportedConfiguration: CodecConfiguration?
    /// The start of a frame that goes on in the next packet.
    private var rest: [UInt8] = []

    /// More than any frame has.
    private static var longestRest: Int { 1 << 16 }

    init(_ framing: Framing) {
        self.framing = framing
    }

    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames {
        guard !rest.isEmpty else { return try read(payload, carried: 0) }
        let carried = rest.count
        var joined = rest
        joined.reserveCapacity(carried + payload.byteCount)
        payload.withUnsafeBytes { joined.append(contentsOf: $0) }
        rest = []
        return try read(joined.span.bytes, carried: carried)
    }

    /// Whether the frame that was begun ends in front of another one, or of nothing.
    private func continues(_ joined: RawSpan, carried: Int) -> Bool {
        guard let found = try? framing.frame(in: joined) else { return joined.byteCount <= Self.longestRest }
        guard found.length > carried else { return true }
        let next = joined.extracting(droppingFirst: found.length)
        if next.isEmpty { return true }
        do { return try Framing.Header(next).stream == found.stream } catch { return error == .truncated }
    }

    /// Reads a packet with what earlier ones left of a frame, `carried` bytes, ahead of it.
    private mutating func read(_ bytes: RawSpan, carried: Int) throws(CodecError) -> AudioFrames {
        guard !bytes.isEmpty else { throw .truncated }
        var result = AudioFrames()
        var offset = 0
        if carried > 0, !continues(bytes, carried: carried) {
            // What began in the packet before does not end in this one: something between them is lost.
            offset = nextFrame(in: bytes)
            result.unreadableBytes = offset
        }
        while offset < bytes.byteCount {
            let ahead = bytes.extracting(droppingFirst: offset)
            do {
                guard let found = try framing.frame(in: ahead) else {
                    keep(ahead)
                    break
                }
                guard adopt(found, isFirst: result.frames.isEmpty) else {
                    if offset < carried { keep(ahead) } else { result.unreadBytes = ahead.byteCount }
                    break
                }
                let frame = ahead.extracting(first: found.length)
                result.frames.append(AudioFrame(copying: frame, samples: found.samples))
                // A packet's timestamp is of what begins in it first (ISO/IEC 13818-1 § 2.4.3.7).
                result.samplesAhead += framing.samples(of: frame, found, beginningBefore: carried - offset)
                offset += found.length
            } catch {
                let skipped = nextFrame(in: ahead)
                result.unreadableBytes += skipped
                offset += skipped
                if result.unreadableBytes == bytes.byteCount {
                    // It may be another stream by now.
                    stream = nil
                    throw error
                }
            }
        }
        result.configurationChanged = codecConfiguration != reportedConfiguration
        reportedConfiguration = codecConfiguration
        return result
    }

    private func nextFrame(in bytes: RawSpan) -> Int {
        Framing.Header.nextFrame(in: bytes, of: stream) ?? Framing.Header.nextOpenFrame(in: bytes, of: stream)
            ?? bytes.byteCount
    }

    private mutating func keep(_ bytes: RawSpan) {
        rest = bytes.withUnsafeBytes { [UInt8]($0) }
    }

    /// Takes over what is in force with a frame; false where it is another configuration behind the packet's first.
    private mutating func adopt(_ found: FramedAudio<Framing.Header.Stream>, isFirst: Bool) -> Bool {
        let configuration = codecConfiguration.map { framing.configuration(found.configuration, after: $0) }
        guard isFirst || configuration == codecConfiguration else { return false }
        codecConfiguration = configuration ?? found.configuration
        stream = found.stream
        return true
    }
}
