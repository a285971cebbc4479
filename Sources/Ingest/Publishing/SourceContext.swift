import CFFmpeg

/// Lets libavformat read a source of bytes; not seekable.
@safe
final class SourceContext {
    /// The size of a pipe's buffer.
    private static let bufferSize: Int32 = 65_536
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private let source: any ByteSource
    /// Watches the context that reads from here.
    private var watch: FormatWatch?

    /// - Throws: If there is no memory.
    init(_ source: any ByteSource) throws(FFmpegError) {
        self.source = source
        let buffer = unsafe av_malloc(Int(Self.bufferSize))
        unsafe context = unsafe avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, buffer, size in
                guard let opaque = unsafe opaque, let buffer = unsafe buffer else { return FFmpegError.endOfFile }
                let this = unsafe Unmanaged<SourceContext>.fromOpaque(opaque).takeUnretainedValue()
                if this.watch?.isOver == true { return FFmpegError.exitRequested }
                return unsafe this.source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
            },
            nil,
            nil
        )
        guard unsafe buffer != nil, let context = unsafe context else {
            unsafe av_free(buffer)
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open")
        }
        unsafe context.pointee.seekable = 0
    }

    deinit {
        guard let context = unsafe context else { return }
        // The buffer may be another than the one given: libavformat grows it while it probes.
        unsafe av_free(context.pointee.buffer)
        unsafe avio_context_free(&self.context)
    }

    /// Makes `format` read from here, as long as its watch permits; this must outlive it.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>, _ watch: FormatWatch) {
        unsafe format.pointee.pb = unsafe context
        self.watch = watch
    }
}
