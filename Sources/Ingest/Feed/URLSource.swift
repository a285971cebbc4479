import CFFmpeg

/// A connection that libavformat has opened, read as bytes.
@safe
final class URLSource {
    private let context: UnsafeMutablePointer<AVIOContext>
    /// Asked by libavformat until the connection is closed.
    private let signal: StopSignal

    /// Opens the connection.
    ///
    /// - Parameters:
    ///   - address: The address of the feed.
    ///   - signal: Ends the waiting.
    /// - Throws: `FFmpegError` if it cannot be opened.
    init(opening address: FeedAddress, signal: StopSignal) throws(FFmpegError) {
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        for (name, value) in address.options { unsafe av_dict_set(&options, name, value, 0) }
        var context: UnsafeMutablePointer<AVIOContext>?
        var callback = unsafe signal.interruptCallback
        try FFmpegError.check(unsafe avio_open2(&context, address.url, AVIO_FLAG_READ, &callback, &options), "open")
        guard let context = unsafe context else { throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open") }
        unsafe self.context = unsafe context
        self.signal = signal
    }

    deinit {
        _ = unsafe avio_close(context)
    }

    /// Waits for bytes.
    ///
    /// - Parameter buffer: Filled from its beginning on.
    /// - Returns: The number of bytes, or a code of ``FFmpegError``.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        unsafe avio_read_partial(
            context,
            buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
            Int32(clamping: buffer.count)
        )
    }
}
