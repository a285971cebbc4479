import CFFmpeg
import MPEGTS
import MediaCore

/// Sits between libavformat and the bytes of a transport stream, and finds SCTE-35 in them, which libavformat shows
/// only where a program map registers `CUEI`.
///
/// Bytes are read well ahead of their packets. A section is given out once the packets have reached
/// its place: it lies between the same two packets on every machine.
@safe
final class SpliceTap {
    private let source: UnsafeMutablePointer<AVIOContext>
    /// Asked by libavformat until the source is closed; nil if the tap does not own it.
    private let watch: FormatWatch?
    private var context: UnsafeMutablePointer<AVIOContext>?
    private var reader: SpliceSectionReader
    private var found: [SpliceSectionReader.Section] = []

    private static let bufferSize: Int32 = 65_536
    /// The most sections that are kept, more than any stream has between two packets; then the oldest go.
    private static let most = 4_096

    /// - Parameters:
    ///   - pids: The PIDs to search.
    ///   - source: The source, which must outlive the tap if that does not own it.
    ///   - watch: The watch of a source that the tap owns, and closes; nil if it belongs to another.
    /// - Throws: If there is no memory.
    init(
        _ pids: [SplicePID],
        reading source: UnsafeMutablePointer<AVIOContext>,
        owning watch: FormatWatch? = nil
    ) throws(FFmpegError) {
        unsafe self.source = unsafe source
        self.watch = watch
        reader = SpliceSectionReader(pids)
        let buffer = unsafe av_malloc(Int(Self.bufferSize))
        unsafe context = unsafe avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            0,
            Unmanaged.passUnretained(self).toOpaque(),
            Self.read,
            nil,
            Self.seek
        )
        guard unsafe buffer != nil, let context = unsafe context else {
            unsafe av_free(buffer)
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open")
        }
        unsafe context.pointee.seekable = unsafe source.pointee.seekable
    }

    deinit {
        if let context = unsafe context {
            // The buffer may be another than the one given: libavformat grows it while it probes.
            unsafe av_free(context.pointee.buffer)
            unsafe avio_context_free(&self.context)
        }
        if watch != nil { _ = unsafe avio_close(source) }
    }

    /// Makes `format` read from here; this must outlive it.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>) {
        unsafe format.pointee.pb = unsafe context
    }

    /// Returns the sections before a packet.
    ///
    /// - Parameter position: The position of the packet in the stream, in bytes; nil for all that was found.
    /// - Returns: Sections that were not given out before, in order.
    func takeSections(before position: Int64?) -> [SpliceSectionReader.Section] {
        guard let position else {
            defer { found = [] }
            return found
        }
        let count = found.prefix { $0.position < position }.count
        defer { found.removeFirst(count) }
        return Array(found.prefix(count))
    }

    private func passed(_ bytes: RawSpan) {
        found += reader.read(bytes)
        if found.count > Self.most { found.removeFirst(found.count - Self.most) }
    }

    /// The stream was moved to another position: sections that were read ahead and not given out are read again.
    private func moved(to position: Int64) {
        found = []
        reader.moved(to: position)
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        opaque,
        buffer,
        size in
        guard let opaque = unsafe opaque, let buffer = unsafe buffer else { return FFmpegError.endOfFile }
        let tap = unsafe Unmanaged<SpliceTap>.fromOpaque(opaque).takeUnretainedValue()
        let count = unsafe avio_read_partial(tap.source, buffer, size)
        guard count > 0 else { return count == 0 ? FFmpegError.endOfFile : count }
        tap.passed(unsafe RawSpan(_unsafeStart: UnsafeRawPointer(buffer), byteCount: Int(count)))
        return count
    }

    private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
        opaque,
        offset,
        whence in
        guard let opaque = unsafe opaque else { return -1 }
        let tap = unsafe Unmanaged<SpliceTap>.fromOpaque(opaque).takeUnretainedValue()
        if whence & AVSEEK_SIZE != 0 { return unsafe avio_size(tap.source) }
        let position = unsafe avio_seek(tap.source, offset, whence)
        if position >= 0 { tap.moved(to: position) }
        return position
    }
}
