import MediaCore

/// Finds the frames of a codec that frames itself, in packets of whole ones.
struct FramedAudioReader<Framing: AudioFraming>: AudioFrameReader {
    private(set) var codecConfiguration: CodecConfiguration?

    private let framing: Framing
    private var stream: Framing.Header.Stream?
    private var reportedConfiguration: CodecConfiguration?

    init(_ framing: Framing) {
        self.framing = framing
    }

    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames {
        guard !payload.isEmpty else { throw .truncated }
        var result = AudioFrames()
        var offset = 0
        while offset < payload.byteCount {
            let ahead = payload.extracting(droppingFirst: offset)
            do throws(CodecError) {
                guard let found = try framing.frame(in: ahead) else { throw .truncated }
                guard adopt(found, isFirst: result.frames.isEmpty) else {
                    result.unreadBytes = ahead.byteCount
                    break
                }
                let frame = ahead.extracting(first: found.length)
                result.frames.append(AudioFrame(copying: frame, samples: found.samples))
                offset += found.length
            } catch {
                let skipped = Framing.Header.nextFrame(in: ahead, of: stream) ?? ahead.byteCount
                result.unreadableBytes += skipped
                offset += skipped
                if result.unreadableBytes == payload.byteCount {
                    // The packets may be of another stream by now.
                    stream = nil
                    throw error
                }
            }
        }
        result.configurationChanged = codecConfiguration != reportedConfiguration
        reportedConfiguration = codecConfiguration
        return result
    }

    /// Takes over the configuration of a frame; false if it differs from that of the packet's first frame.
    private mutating func adopt(_ found: FramedAudio<Framing.Header.Stream>, isFirst: Bool) -> Bool {
        let configuration = codecConfiguration.map { framing.configuration(found.configuration, after: $0) }
        guard isFirst || configuration == codecConfiguration else { return false }
        codecConfiguration = configuration ?? found.configuration
        stream = found.stream
        return true
    }
}
