import CFFmpeg
import NIOCore

/// Writes small pictures as JPEG (ITU-T T.81) by libavcodec.
enum JPEGEncoder {
    /// A value of libavcodec's scale from 2 to 31: 20 to 30 KB for a picture with detail.
    private static let quality: Int32 = 5

    /// - Throws: The error of libavcodec.
    static func encode(_ picture: SmallPicture) throws(FFmpegError) -> ByteBuffer {
        guard let encoder = unsafe avcodec_find_encoder(AV_CODEC_ID_MJPEG) else {
            throw FFmpegError(code: cffmpeg_error_encoder_not_found(), operation: "open codec")
        }
        let context = unsafe try CodecContext(encoder)
        let (pointer, frame) = unsafe (context.pointer, context.frame)
        unsafe pointer.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
        unsafe pointer.pointee.color_range = AVCOL_RANGE_JPEG
        unsafe pointer.pointee.width = Int32(picture.width)
        unsafe pointer.pointee.height = Int32(picture.height)
        unsafe pointer.pointee.time_base = AVRational(num: 1, den: 1)
        // Without the version of libavcodec.
        unsafe pointer.pointee.flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT
        unsafe pointer.pointee.global_quality = FF_QP2LAMBDA * quality
        try context.open()
        unsafe frame.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
        unsafe frame.pointee.width = Int32(picture.width)
        unsafe frame.pointee.height = Int32(picture.height)
        unsafe frame.pointee.color_range = AVCOL_RANGE_JPEG
        unsafe frame.pointee.quality = FF_QP2LAMBDA * quality
        unsafe frame.pointee.pts = 0
        try FFmpegError.check(unsafe av_frame_get_buffer(frame, 0), "encode")
        let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
        unsafe copy(picture.luma, picture.width, to: data.0, strides.0)
        unsafe copy(picture.blue, picture.width / 2, to: data.1, strides.1)
        unsafe copy(picture.red, picture.width / 2, to: data.2, strides.2)
        try FFmpegError.check(unsafe avcodec_send_frame(pointer, frame), "encode")
        var packet = try Packet()
        try FFmpegError.check(unsafe packet.receive(from: pointer), "encode")
        var bytes = ByteBuffer()
        packet.withPayload { bytes.writeBytes($0) }
        return bytes
    }

    private static func copy(
        _ samples: [UInt8],
        _ width: Int,
        to plane: UnsafeMutablePointer<UInt8>?,
        _ stride: Int32
    ) {
        guard let plane = unsafe plane else { return }
        unsafe samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            for row in 0..<samples.count / width {
                unsafe (plane + row * Int(stride)).update(from: start + row * width, count: width)
            }
        }
    }
}
