import MediaCore

/// MPEG audio: each header stands ahead of one frame.
struct MPEGAudioFraming: AudioFraming {
    typealias Header = MPEGAudioHeader

    func frame(in bytes: RawSpan) throws(CodecError) -> FramedAudio<MPEGAudioConfiguration>? {
        let header: MPEGAudioHeader
        do { header = try MPEGAudioHeader(bytes) } catch .truncated { return nil } catch { throw error }
        guard header.stream.layer > 1 else { throw .unsupported("MPEG audio of layer I") }
        guard header.frameLength <= bytes.byteCount else { return nil }
        return FramedAudio(
            length: header.frameLength,
            samples: header.stream.samplesPerFrame,
            stream: header.stream,
            configuration: .mpegAudio(header.stream)
        )
    }
}
