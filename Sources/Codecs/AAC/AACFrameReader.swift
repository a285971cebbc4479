import MediaCore
import NIOCore

/// Turns an AAC packet into bare frames, the samples of an `mp4a` track.
struct AACFrameReader: AudioFrameReader {
    /// The decoder configuration; nil until the first ADTS header has come.
    private(set) var configuration: AACConfiguration?

    var codecConfiguration: CodecConfiguration? { configuration.map(CodecConfiguration.aac) }

    /// The object type that probing has found in the frames: 5 or 29 if they carry spectral band replication that
    /// neither ADTS nor the header signals.
    private let objectTypeHint: UInt8
    private var isADTS = true
    private var stream: ADTSHeader.Stream?
    private var reportedConfiguration: AACConfiguration?

    /// - Parameters:
    ///   - header: An AudioSpecificConfig, after which packets are bare frames, or nothing, after which they are ADTS.
    ///   - objectTypeHint: 5 or 29 where frames are known to carry spectral band replication without or with
    ///     parametric stereo; only decoding finds out.
    /// - Throws: ``CodecError`` if the header cannot be read.
    init(header: [UInt8], objectTypeHint: UInt8 = 2) throws(CodecError) {
        self.objectTypeHint = objectTypeHint
        try replaceHeader(header)
    }

    /// Starts over with a header that the input has come up with in mid-stream.
    ///
    /// - Throws: ``CodecError`` as at first; then everything stands as before.
    mutating func replaceHeader(_ header: [UInt8]) throws(CodecError) {
        if !header.isEmpty { configuration = try hinted(AACConfiguration(audioSpecificConfig: header)) }
        isADTS = header.isEmpty
        stream = nil
    }

    /// Reads one packet.
    ///
    /// - Parameter payload: The packet's bytes: one bare frame, or ADTS frames one after another.
    /// - Returns: The frames, and what came with them.
    /// - Throws: ``CodecError`` if not even the first frame can be read.
    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames {
        var result = AudioFrames()
        if isADTS {
            var places: [Range<Int>] = []
            var rest = payload
            repeat {
                if !places.isEmpty, changesConfiguration(rest) {
                    result.unreadBytes = rest.byteCount
                    break
                }
                do {
                    let header = try readADTSFrame(rest, isFirst: places.isEmpty)
                    let start = payload.byteCount - rest.byteCount
                    places.append(start + header.headerLength..<start + header.frameLength)
                    rest = rest.extracting(droppingFirst: header.frameLength)
                } catch {
                    if places.isEmpty { throw error }
                    let skipped = ADTSHeader.nextFrame(in: rest, of: stream) ?? rest.byteCount
                    result.unreadableBytes += skipped
                    rest = rest.extracting(droppingFirst: skipped)
                }
            } while !rest.isEmpty
            result.frames = Self.frames(of: payload, at: places)
        } else {
            guard !payload.isEmpty else { throw .truncated }
            result.frames.append(AudioFrame(copying: payload, samples: AACConfiguration.samplesPerFrame))
        }
        result.configurationChanged = configuration != reportedConfiguration
        reportedConfiguration = configuration
        return result
    }

    /// Returns true if a frame of another configuration stands here, and not a damaged one: the packet ends with it, or
    /// another like it follows.
    private func changesConfiguration(_ bytes: RawSpan) -> Bool {
        guard let header = try? ADTSHeader(bytes), header.stream != stream, header.frameLength <= bytes.byteCount else {
            return false
        }
        let rest = bytes.extracting(droppingFirst: header.frameLength)
        return rest.isEmpty || (try? ADTSHeader(rest))?.stream == header.stream
    }

    /// Returns frames as slices of one copy, which has nothing behind the last of them: a packet of many configurations
    /// is read again from each change on, and would be copied as often.
    private static func frames(of payload: RawSpan, at places: [Range<Int>]) -> [AudioFrame] {
        guard let end = places.last?.upperBound else { return [] }
        var copy = ByteBufferAllocator().buffer(capacity: end)
        copy.writeBytes(payload.extracting(first: end))
        return places.compactMap { place in
            copy.getSlice(at: place.lowerBound, length: place.count)
                .map { AudioFrame(payload: $0, samples: AACConfiguration.samplesPerFrame) }
        }
    }

    /// Reads the header of the frame at the start of bytes, and the configuration with it if the frame is the first.
    private mutating func readADTSFrame(_ bytes: RawSpan, isFirst: Bool) throws(CodecError) -> ADTSHeader {
        let header = try ADTSHeader(bytes)
        guard header.frameLength <= bytes.byteCount else { throw .truncated }
        // Without a checksum, the boundaries between raw data blocks are not written.
        guard header.rawDataBlocks == 1 else { throw .unsupported("several raw data blocks in an ADTS frame") }
        guard header.frameLength > header.headerLength else { throw .invalid("aac_frame_length") }
        let frame = bytes.extracting(header.headerLength..<header.frameLength)
        if header.stream != stream {
            // The configuration of the first frame holds for the packet.
            guard isFirst else { throw .invalid("change of configuration within a packet") }
            configuration = try configuration(of: header.stream, firstFrame: frame)
            stream = header.stream
        }
        return header
    }

    private func configuration(
        of stream: ADTSHeader.Stream,
        firstFrame: RawSpan
    ) throws(CodecError) -> AACConfiguration {
        var program: ProgramConfigElement?
        if stream.channelConfiguration == 0 {
            // ISO/IEC 14496-3 § 1.A.3.2.1: the frame itself describes its channels, in its first element.
            var reader = BitReader(firstFrame)
            guard try reader.read(3) == 5 else { throw .unsupported("AAC without channel configuration") }
            program = try ProgramConfigElement(&reader)
        }
        let config = try AudioSpecificConfig(
            coreObjectType: stream.objectType,
            coreSampleRate: stream.sampleRate,
            channelConfiguration: stream.channelConfiguration,
            program: program
        )
        return try hinted(AACConfiguration(config, bytes: config.bytes))
    }

    /// Adds what only the hint tells.
    private func hinted(_ configuration: AACConfiguration) throws(CodecError) -> AACConfiguration {
        guard [5, 29].contains(objectTypeHint), configuration.objectType == 2 else { return configuration }
        return try configuration.signalling(sbr: true, ps: objectTypeHint == 29)
    }
}
