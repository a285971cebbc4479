import MediaCore

/// Takes Opus packets as they come, or out of the framing that a transport stream puts around them.
struct OpusFrameReader: AudioFrameReader {
    let configuration: OpusConfiguration
    private var isReported = false

    var codecConfiguration: CodecConfiguration? { .opus(configuration) }

    /// - Parameter header: An identification header.
    /// - Throws: ``CodecError`` if it cannot be read.
    init(header: [UInt8]) throws(CodecError) {
        configuration = try OpusConfiguration(identificationHeader: header)
    }

    mutating func read(_ payload: RawSpan) throws(CodecError) -> AudioFrames {
        var result = AudioFrames()
        if OpusControlHeader.begins(payload) {
            var rest = payload
            while !rest.isEmpty {
                do throws(CodecError) {
                    let header = try OpusControlHeader(rest)
                    guard header.packetLength <= rest.byteCount - header.length else { throw .truncated }
                    let packet = rest.extracting(header.length..<header.length + header.packetLength)
                    result.frames.append(AudioFrame(copying: packet, samples: try OpusPacket.samples(packet)))
                    rest = rest.extracting(droppingFirst: header.length + header.packetLength)
                } catch {
                    if result.frames.isEmpty { throw error }
                    result.unreadableBytes = rest.byteCount
                    break
                }
            }
        } else {
            result.frames.append(AudioFrame(copying: payload, samples: try OpusPacket.samples(payload)))
        }
        result.configurationChanged = !isReported
        isReported = true
        return result
    }
}
