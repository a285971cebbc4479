import MediaCore

/// How the frames of an audio stream delimit themselves in PES packets.
enum FrameSyntax: Hashable, Sendable {
    case adts, ac3, mpegAudio, opus

    /// Nil for a codec whose frames do not say how long they are.
    init?(_ codec: InputTrack.Codec) {
        switch codec {
        case .aac: self = .adts
        case .ac3, .eac3: self = .ac3
        case .mp2, .mp3: self = .mpegAudio
        case .opus: self = .opus
        case .h264, .hevc, .av1, .flac, .alac, .unsupported: return nil
        }
    }

    enum Reading: Hashable {
        case frame(FrameHeader)
        /// What is there may be the beginning of a frame.
        case incomplete
        case none
    }

    /// Reads the header of the frame that begins with these bytes.
    func read(_ bytes: RawSpan) -> Reading {
        guard let header = header(bytes) else { return isCutHeader(bytes) ? .incomplete : .none }
        return .frame(header)
    }

    /// Nil if there is no whole header.
    func header(_ bytes: RawSpan) -> FrameHeader? {
        switch self {
        case .adts: ADTSFrame(bytes).map { FrameHeader($0) }
        case .ac3: FrameHeader(ac3: bytes)
        case .mpegAudio: FrameHeader(mpegAudio: bytes)
        case .opus: FrameHeader(opus: bytes)
        }
    }

    /// No frame is longer, in bytes.
    var mostBytes: Int {
        switch self {
        case .adts: ADTSFrame.mostBytes
        case .ac3: FrameHeader.mostAC3Bytes
        case .mpegAudio: FrameHeader.mostMPEGAudioBytes
        case .opus: FrameHeader.mostOpusBytes
        }
    }

    /// Whether the bytes are too few for a header, and begin like one.
    private func isCutHeader(_ bytes: RawSpan) -> Bool {
        let count = bytes.byteCount
        func begins(_ first: UInt8, _ mask: UInt8, _ second: UInt8) -> Bool {
            (count < 1 || bytes.byte(0) == first) && (count < 2 || bytes.byte(1) & mask == second)
        }
        return switch self {
        case .adts: count < ADTSFrame.headerBytes && begins(0xFF, 0xF6, 0xF0)
        case .ac3: count < FrameHeader.ac3Bytes && begins(0x0B, 0xFF, 0x77)
        case .mpegAudio: count < FrameHeader.mpegAudioBytes && begins(0xFF, 0xE0, 0xE0)
        case .opus: begins(0x7F, 0xE0, 0xE0) && FrameHeader.isCutOpusHeader(bytes)
        }
    }
}
