package import MediaCore

/// The syntax of audio frames that state their length, as frames in a transport stream do.
package enum AudioFrameSyntax: Hashable, Sendable {
    case adts, dolby, mpegAudio
    /// Packets behind control headers.
    case opus

    /// The syntax of a codec's frames; fails for codecs whose frames do not carry their duration.
    package init?(_ codec: InputTrack.Codec) {
        switch codec {
        case .aac: self = .adts
        case .ac3, .eac3: self = .dolby
        case .mp2, .mp3: self = .mpegAudio
        case .opus: self = .opus
        case .h264, .hevc, .av1, .text, .flac, .alac, .unsupported: return nil
        }
    }

    /// Reads the header of the frame that begins with these bytes, which need not be all of it.
    ///
    /// - Throws: ``CodecError/truncated`` if they may begin a header, another ``CodecError`` if they do not.
    package func header(_ bytes: RawSpan) throws(CodecError) -> AudioFrameExtent {
        switch self {
        case .adts:
            return AudioFrameExtent(try ADTSHeader(bytes), codec: .aac)
        case .dolby:
            let syncframe = try DolbySyncframe(bytes)
            return AudioFrameExtent(syncframe, codec: syncframe.isEnhanced ? .eac3 : .ac3)
        case .mpegAudio:
            let header = try MPEGAudioHeader(bytes)
            let codecs: [InputTrack.Codec] = [.unsupported("mp1"), .mp2, .mp3]
            return AudioFrameExtent(header, codec: codecs[Int(header.stream.layer) - 1])
        case .opus:
            let header = try OpusControlHeader(bytes)
            return AudioFrameExtent(
                sampleRate: Int64(OpusConfiguration.sampleRate),
                samples: Int64(try OpusPacket.samples(bytes.extracting(droppingFirst: header.length))),
                byteCount: header.length + header.packetLength,
                prefixByteCount: header.length,
                codec: .opus
            )
        }
    }

    /// Reads the same, and returns nil for any error.
    package func wholeHeader(_ bytes: RawSpan) -> AudioFrameExtent? { try? header(bytes) }

    /// Returns the length in bytes of the frame at the start: for (Enhanced) AC-3, six blocks of all substreams; for
    /// others, the frame of one header.
    ///
    /// - Throws: ``CodecError/truncated`` if it may continue after the end, another ``CodecError`` if there is none.
    package func frameLength(in bytes: RawSpan) throws(CodecError) -> Int {
        if self == .dolby {
            guard let frame = try DolbyAudioFraming().substreams(of: bytes) else { throw .truncated }
            return frame.length
        }
        let length = try header(bytes).byteCount
        guard length <= bytes.byteCount else { throw .truncated }
        return length
    }

    /// The most bytes of a frame.
    package var mostBytes: Int {
        switch self {
        // aac_frame_length has 13 bits.
        case .adts: 1 << 13
        // Six syncframes of 4096 bytes, and as much again of what depends on them.
        case .dolby: 12 << 12
        // Layer II at 384 kbit/s and 32 kHz is 1728 bytes; frames of MPEG-2.5 at low rates are not longer.
        case .mpegAudio: 1 << 12
        case .opus: 1 << 17
        }
    }
}

extension AudioFrameExtent {
    fileprivate init(_ header: some AudioFrameHeader, codec: InputTrack.Codec) {
        self.init(
            sampleRate: Int64(header.sampleRate),
            samples: Int64(header.samples),
            byteCount: header.frameLength,
            codec: codec
        )
    }
}
