package import MediaCore
internal import NIOCore

/// Turns an AAC packet into bare frames, the samples of an `mp4a` track.
package struct AACFrameReader: Sendable {
    /// The decoder configuration; nil until the first ADTS header has come.
    package private(set) var configuration: AACConfiguration?

    /// What a prober has heard in the frames: 5 or 29 where they carry spectral band replication that neither ADTS nor
    /// the header tells of.
    private let objectTypeHint: UInt8
    private var isADTS = true
    private var stream: ADTSHeader.Stream?
    private var reportedConfiguration: AACConfiguration?

    /// - Parameters:
    ///   - header: An AudioSpecificConfig, after which packets are bare frames, or nothing, after which they are ADTS.
    ///   - objectTypeHint: 5 or 29 where frames are known to carry spectral band replication without or with
    ///     parametric stereo; only decoding finds out.
    /// - Throws: ``CodecError`` where the header cannot be read.
    package init(header: [UInt8], objectTypeHint: UInt8 = 2) throws(CodecError) {
        self.objectTypeHint = objectTypeHint
        try replaceHeader(header)
    }

    /// Starts over with a header that the input has come up with in mid-stream.
    ///
    /// - Throws: ``CodecError`` as at first; then everything stands as before.
    package mutating func replaceHeader(_ header: [UInt8]) throws(CodecError) {
        if !header.isEmpty { configuration = try hinted(AACConfiguration(audioSpecificConfig: header)) }
        isADTS = header.isEmpty
        stream = nil
    }

    /// Reads one packet.
    ///
    /// - Parameter payload: The packet's bytes: one bare frame, or ADTS frames one after another.
    /// - Returns: The frames, and what came with them.
    /// - Throws: ``CodecError`` where not even the first frame can be read.
    package mutating func read(_ payload: RawSpan) throws(CodecError) -> AACFrames {
        var result = AACFrames()
        if isADTS {
            var rest = payload
            repeat {
                do {
                    rest = rest.extracting(droppingFirst: try appendADTSFrame(rest, to: &result.frames))
                } catch {
                    if result.frames.isEmpty { throw error }
                    let skipped = nextFrame(in: rest)
                    result.unreadableBytes += skipped
                    rest = rest.extracting(droppingFirst: skipped)
                }
            } while !rest.isEmpty
        } else {
            guard !payload.isEmpty else { throw .truncated }
            result.frames.append(Self.copy(payload))
        }
        result.configurationChanged = configuration != reportedConfiguration
        reportedConfiguration = configuration
        return result
    }

    /// Takes the frame at the start of `bytes` and returns its length in bytes, header included.
    private mutating func appendADTSFrame(_ bytes: RawSpan, to frames: inout [ByteBuffer]) throws(CodecError) -> Int {
        let header = try ADTSHeader(bytes)
        guard header.frameLength <= bytes.byteCount else { throw .truncated }
        let frame = bytes.extracting(header.headerLength..<header.frameLength)
        if header.stream != stream {
            // A packet has one configuration: that of its first frame.
            guard frames.isEmpty else { throw .invalid("change of configuration within a packet") }
            configuration = try configuration(of: header.stream, firstFrame: frame)
            stream = header.stream
        }
        frames.append(Self.copy(frame))
        return header.frameLength
    }

    /// Where a frame of the same configuration begins behind what cannot be read, with another behind it; the count of
    /// bytes if none does.
    private func nextFrame(in bytes: RawSpan) -> Int {
        func header(at offset: Int) -> ADTSHeader? {
            let header = try? ADTSHeader(bytes.extracting(droppingFirst: offset))
            return header?.stream == stream ? header : nil
        }
        let offset = (0..<bytes.byteCount).dropFirst().first { offset in
            guard let end = header(at: offset).map({ offset + $0.frameLength }) else { return false }
            return end == bytes.byteCount || end < bytes.byteCount && header(at: end) != nil
        }
        return offset ?? bytes.byteCount
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

    private static func copy(_ frame: RawSpan) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: frame.byteCount)
        buffer.writeBytes(frame)
        return buffer
    }
}
