import CFFmpeg

/// Owns an output of libavformat that a feed is written to: datagrams to UDP or SRT, bytes to anything else.
@safe
package struct FeedWriter: ~Copyable {
    private let context: UnsafeMutablePointer<AVIOContext>
    /// The signal that libavformat polls until the output is closed.
    private let signal: StopSignal

    /// Opens an output, and waits for a connection if the protocol has them.
    ///
    /// - Parameters:
    ///   - url: A URL that libavformat opens for writing, or a file's path. Its query has the options that the protocol
    ///     needs to know, such as `pkt_size=1316` or `mode=caller`.
    ///   - signal: Ends the waiting, here and in ``write(_:)``.
    /// - Throws: If it cannot be opened, or `signal` is raised.
    package init(opening url: String, signal: StopSignal) throws(FFmpegError) {
        LibraryLog.takeAll()
        var callback = unsafe signal.interruptCallback
        var context: UnsafeMutablePointer<AVIOContext>?
        // It is unbuffered, so that each write is sent at once, as one datagram if the protocol has them.
        let flags = AVIO_FLAG_WRITE | AVIO_FLAG_DIRECT
        try FFmpegError.check(unsafe avio_open2(&context, url, flags, &callback, nil), "open")
        guard let context = unsafe context else { throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open") }
        unsafe self.context = unsafe context
        self.signal = signal
    }

    deinit {
        _ = unsafe avio_close(context)
    }

    /// Writes a datagram.
    ///
    /// A UDP port without a listener is not an error, because senders of datagrams do not depend on one.
    ///
    /// - Parameter datagram: At most as long as the protocol allows.
    /// - Throws: If the connection is lost, or the signal is raised.
    package mutating func write(_ datagram: [UInt8]) throws(FFmpegError) {
        unsafe datagram.withUnsafeBufferPointer { bytes in
            unsafe avio_write(context, bytes.baseAddress, Int32(bytes.count))
        }
        // Without this, an AVIOContext that has failed never writes again.
        let result = unsafe context.pointee.error
        unsafe context.pointee.error = 0
        if result != FFmpegError.connectionRefused { try FFmpegError.check(result, "write") }
    }
}
