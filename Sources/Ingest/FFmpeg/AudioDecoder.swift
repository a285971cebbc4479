import CFFmpeg
import MediaCore

/// Owns one of libavcodec's audio decoders.
struct AudioDecoder: ~Copyable {
    private let context: CodecContext
    private var packet: Packet

    /// - Parameters:
    ///   - codec: A codec of audio.
    ///   - header: The header from the container, or empty.
    /// - Throws: An error if libavcodec has no such decoder, or cannot open it.
    init(_ codec: InputTrack.Codec, header: [UInt8] = []) throws(FFmpegError) {
        guard let decoder = unsafe Self.find(codec) else {
            throw FFmpegError(code: cffmpeg_error_decoder_not_found(), operation: "open codec")
        }
        let context = unsafe try CodecContext(decoder)
        try context.setHeader(header)
        // The samples that a decoder would skip at a start are part of the timeline.
        unsafe context.pointer.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        try context.open()
        packet = try Packet()
        self.context = context
    }

    /// Finds a decoder; one that decodes to floating point if there are two.
    private static func find(_ codec: InputTrack.Codec) -> UnsafePointer<AVCodec>? {
        switch codec {
        case .aac: unsafe avcodec_find_decoder_by_name("aac")
        case .mp2: unsafe avcodec_find_decoder_by_name("mp2float")
        case .mp3: unsafe avcodec_find_decoder_by_name("mp3float")
        case .ac3: unsafe avcodec_find_decoder_by_name("ac3")
        case .eac3: unsafe avcodec_find_decoder_by_name("eac3")
        case .opus: unsafe avcodec_find_decoder(AV_CODEC_ID_OPUS)
        case .flac: unsafe avcodec_find_decoder(AV_CODEC_ID_FLAC)
        case .alac: unsafe avcodec_find_decoder(AV_CODEC_ID_ALAC)
        case .h264, .hevc, .av1, .text, .unsupported: nil
        }
    }

    /// Decodes a frame; no decoder here holds samples back.
    ///
    /// - Parameter bytes: The bytes of one frame, without those of the transport.
    /// - Returns: The audio; nil if there is none yet.
    /// - Throws: An error if they are damaged, or make samples of a kind that is not known here.
    mutating func decode(_ bytes: RawSpan) throws(FFmpegError) -> DecodedAudio? {
        try packet.fill(with: bytes)
        let result = unsafe packet.send(to: context.pointer)
        packet.release()
        try FFmpegError.check(result, "decode")
        var audio: DecodedAudio?
        while true {
            let result = unsafe avcodec_receive_frame(context.pointer, context.frame)
            if result == FFmpegError.tryAgain || result == FFmpegError.endOfFile { return audio }
            try FFmpegError.check(result, "decode")
            defer { unsafe av_frame_unref(context.frame) }
            guard let part = unsafe DecodedAudio(context.frame) else {
                throw FFmpegError(code: FFmpegError.invalidData, operation: "read samples")
            }
            guard let whole = audio, whole.format == part.format else {
                audio = part
                continue
            }
            audio?.channels = zip(whole.channels, part.channels).map { $0 + $1 }
        }
    }

    /// Resets the decoder for another place in the stream.
    mutating func flush() {
        unsafe avcodec_flush_buffers(context.pointer)
    }

    /// The profile of the frames so far, which their headers may not show; only for AAC.
    var profile: Int32 { unsafe context.pointer.pointee.profile }
}
