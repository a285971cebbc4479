import CFFmpeg
import MediaCore

/// Owns one of libavcodec's video decoders, for pictures that are only examined.
struct PictureDecoder: ~Copyable {
    private let context: CodecContext
    private var packet: Packet
    /// The most pixels of levels 6.2 of H.264 and HEVC: a damaged or hostile sequence parameter set may demand
    /// 16384x16384, and its references alone take gigabytes.
    private static let mostPixels: Int64 = 8_192 * 4_352

    /// - Parameters:
    ///   - codec: A codec of video.
    ///   - header: The header from the container, or empty.
    /// - Throws: An error if libavcodec has no such decoder, or cannot open it.
    init(_ codec: InputTrack.Codec, header: [UInt8]) throws(FFmpegError) {
        guard let id = Self.identifier(codec), let decoder = unsafe avcodec_find_decoder(id) else {
            throw FFmpegError(code: cffmpeg_error_decoder_not_found(), operation: "open codec")
        }
        let context = unsafe try CodecContext(decoder)
        try context.setHeader(header)
        // Pictures that no other one refers to need no loop filter.
        unsafe context.pointer.pointee.skip_loop_filter = AVDISCARD_NONREF
        unsafe context.pointer.pointee.max_pixels = Self.mostPixels
        try context.open()
        packet = try Packet()
        self.context = context
    }

    private static func identifier(_ codec: InputTrack.Codec) -> AVCodecID? {
        switch codec {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .av1: AV_CODEC_ID_AV1
        case .aac, .ac3, .eac3, .mp2, .mp3, .opus, .flac, .alac, .text, .unsupported: nil
        }
    }

    /// Decodes an access unit; pictures come in the order in which they are shown, some access units later.
    ///
    /// Damaged pictures are left out, as are pictures whose references are missing.
    ///
    /// - Parameters:
    ///   - bytes: The access unit.
    ///   - timestamp: The timestamp of its presentation.
    ///   - isWanted: True if the picture with a timestamp is to be looked at.
    /// - Returns: Those pictures, with their timestamps.
    /// - Throws: If there is no memory for the access unit.
    mutating func decode(
        _ bytes: RawSpan,
        timestamp: Int64,
        where isWanted: (Int64) -> Bool
    ) throws(FFmpegError) -> [(timestamp: Int64, picture: LumaPicture)] {
        try packet.fill(with: bytes)
        packet.presentationTimestamp = timestamp
        _ = unsafe packet.send(to: context.pointer)
        packet.release()
        var pictures: [(timestamp: Int64, picture: LumaPicture)] = []
        while unsafe avcodec_receive_frame(context.pointer, context.frame) == 0 {
            defer { unsafe av_frame_unref(context.frame) }
            let timestamp = unsafe context.frame.pointee.pts
            guard isWanted(timestamp), let picture = unsafe LumaPicture(context.frame) else { continue }
            pictures.append((timestamp, picture))
        }
        return pictures
    }

    /// Decodes an access unit that needs no other; the decoder is of no use afterwards, until it is flushed.
    ///
    /// - Parameters:
    ///   - bytes: The access unit.
    ///   - body: Gets the picture, which is only there during the call.
    /// - Returns: The result of `body`; nil if there is no picture.
    /// - Throws: If there is no memory for the access unit.
    mutating func decodeAlone<Result>(
        _ bytes: RawSpan,
        _ body: (UnsafeMutablePointer<AVFrame>) -> Result?
    ) throws(FFmpegError) -> Result? {
        try packet.fill(with: bytes)
        // Deblocking is not seen in a picture that is made much smaller, and takes a third of the time.
        unsafe context.pointer.pointee.skip_loop_filter = AVDISCARD_ALL
        _ = unsafe packet.send(to: context.pointer)
        packet.release()
        // The end of the stream makes the decoder return its delayed pictures at once.
        _ = unsafe avcodec_send_packet(context.pointer, nil)
        guard unsafe avcodec_receive_frame(context.pointer, context.frame) == 0 else { return nil }
        defer { unsafe av_frame_unref(context.frame) }
        return unsafe body(context.frame)
    }

    /// Resets the decoder for another place in the stream, which continues with its next key frame.
    mutating func flush() {
        unsafe avcodec_flush_buffers(context.pointer)
    }
}
