import CFFmpeg
import Glibc

/// Standard input as libavformat reads it: unlike its own `pipe:`, a read here ends when the signal is raised.
@safe
struct StandardInput: ~Copyable {
    /// As much as a pipe holds.
    private static let bufferSize: Int32 = 65_536
    let context: UnsafeMutablePointer<AVIOContext>

    /// - Parameter signal: Must outlive the context.
    /// - Throws: If there is no memory.
    init(signal: StopSignal) throws(FFmpegError) {
        let buffer = unsafe av_malloc(Int(Self.bufferSize))
        let context = unsafe avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            0,
            Unmanaged.passUnretained(signal).toOpaque(),
            Self.read,
            nil,
            nil
        )
        guard unsafe buffer != nil, let context = unsafe context else {
            unsafe av_free(buffer)
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open")
        }
        unsafe self.context = unsafe context
        unsafe context.pointee.seekable = 0
    }

    deinit {
        // The buffer may be another than the one given: libavformat grows it while it probes.
        unsafe av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = unsafe context
        unsafe avio_context_free(&context)
    }

    /// Makes `format` read from here; this must outlive it.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>) {
        unsafe format.pointee.pb = unsafe context
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        opaque,
        buffer,
        size in
        guard let opaque = unsafe opaque else { return FFmpegError.endOfFile }
        let signal = unsafe Unmanaged<StopSignal>.fromOpaque(opaque).takeUnretainedValue()
        while !signal.isRaised {
            var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            // An interrupted or timed out poll is just another round.
            guard unsafe poll(&descriptor, 1, 100) > 0 else { continue }
            let count = unsafe Glibc.read(STDIN_FILENO, buffer, Int(size))
            if count > 0 { return Int32(count) }
            if count == 0 { return FFmpegError.endOfFile }
            if errno != EINTR, errno != EAGAIN { return cffmpeg_error_posix(errno) }
        }
        return FFmpegError.exitRequested
    }
}
