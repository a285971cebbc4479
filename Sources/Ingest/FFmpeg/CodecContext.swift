import CFFmpeg

/// Owns one AVCodecContext and its AVFrame.
@safe
struct CodecContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVCodecContext>
    let frame: UnsafeMutablePointer<AVFrame>

    /// Makes a context that is not open yet.
    ///
    /// - Throws: If there is no memory.
    init(_ codec: UnsafePointer<AVCodec>) throws(FFmpegError) {
        var context = unsafe avcodec_alloc_context3(codec)
        var frame = unsafe av_frame_alloc()
        guard let pointer = unsafe context, let audio = unsafe frame else {
            unsafe avcodec_free_context(&context)
            unsafe av_frame_free(&frame)
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open codec")
        }
        unsafe self.pointer = unsafe pointer
        unsafe self.frame = unsafe audio
        // A frame of audio is too cheap for another thread.
        unsafe pointer.pointee.thread_count = 1
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = unsafe pointer
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
        unsafe avcodec_free_context(&context)
        unsafe av_frame_free(&frame)
    }

    /// Opens the context with its settings.
    ///
    /// - Throws: The error of libavcodec.
    func open() throws(FFmpegError) {
        try FFmpegError.check(unsafe avcodec_open2(pointer, nil, nil), "open codec")
    }

    /// The codec's header, or the header that a decoder is to know; freed with the context.
    func setHeader(_ header: [UInt8]) throws(FFmpegError) {
        guard !header.isEmpty else { return }
        guard let copy = unsafe av_mallocz(header.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open codec")
        }
        unsafe copy.copyMemory(from: header, byteCount: header.count)
        unsafe pointer.pointee.extradata = unsafe copy.assumingMemoryBound(to: UInt8.self)
        unsafe pointer.pointee.extradata_size = Int32(clamping: header.count)
    }
}
