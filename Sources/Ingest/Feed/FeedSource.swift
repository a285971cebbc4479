import CFFmpeg
import MediaCore

/// Sits between libavformat and the bytes of a feed that another reader may continue with, and of one that continues with
/// another's: first come those that the other has read.
///
/// Safe to be sent: it is opened by one thread and then read by one, the reader's.
@safe
final class FeedSource: @unchecked Sendable {
    private let source: UnsafeMutablePointer<AVIOContext>
    let context: UnsafeMutablePointer<AVIOContext>
    /// The signal that libavformat polls until the source is closed.
    private let signal: StopSignal
    private let replayBuffer: FeedReplayBuffer
    /// The bytes that another reader has read, and the number of them that were passed on.
    private var earlier: [UInt8] = []
    private var passed = 0
    /// The bytes that are read until it is known where the feed continues.
    private var head: [UInt8] = []
    /// Bytes that are the end of what another has read.
    private var surplus = 0
    private var isJoined = true

    private static let bufferSize: Int32 = 65_536

    /// Opens the feed.
    ///
    /// - Parameters:
    ///   - address: The address of the feed.
    ///   - besideOthers: True if others may have it open.
    ///   - signal: Ends the waiting.
    ///   - replayBuffer: Keeps what is read.
    /// - Throws: If it cannot be opened.
    init(
        opening address: FeedAddress,
        besideOthers: Bool,
        signal: StopSignal,
        replayBuffer: FeedReplayBuffer
    ) throws(FFmpegError) {
        if !besideOthers { try address.checkIsFree() }
        LibraryLog.takeAll()
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        for (name, value) in address.options { unsafe av_dict_set(&options, name, value, 0) }
        var source: UnsafeMutablePointer<AVIOContext>?
        var callback = unsafe signal.interruptCallback
        try FFmpegError.check(unsafe avio_open2(&source, address.url, AVIO_FLAG_READ, &callback, &options), "open")
        let buffer = unsafe av_malloc(Int(Self.bufferSize))
        let context = unsafe avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self),
            Self.bufferSize,
            0,
            nil,
            Self.read,
            nil,
            nil
        )
        guard let source = unsafe source, unsafe buffer != nil, let context = unsafe context else {
            unsafe av_free(buffer)
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open")
        }
        unsafe self.source = unsafe source
        unsafe self.context = unsafe context
        self.signal = signal
        self.replayBuffer = replayBuffer
        unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe context.pointee.seekable = 0
    }

    deinit {
        // The buffer may be another than the one given: libavformat grows it while it probes.
        unsafe av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = unsafe context
        unsafe avio_context_free(&context)
        _ = unsafe avio_close(source)
    }

    /// Has another reader's bytes read before those to come.
    ///
    /// To be called before anything is read.
    func goOn(after earlier: [UInt8]) {
        // What has a beginning that explains the rest is read from there, as this connection has it.
        guard FeedJunction.isTransportStream(earlier) else { return }
        self.earlier = earlier
        isJoined = earlier.isEmpty
    }

    /// Makes `format` read from here; this must outlive it.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>) {
        unsafe format.pointee.pb = unsafe context
    }

    /// Reads the next bytes.
    ///
    /// - Returns: The number of bytes, or an error of libavformat's.
    private func next(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        if passed < earlier.count {
            let count = unsafe take(from: earlier[passed...], buffer) { passed += $0 }
            unsafe keep(buffer, Int(count))
            return count
        }
        while !isJoined {
            let count = unsafe avio_read_partial(
                source,
                buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(buffer.count)
            )
            if count > 0 { unsafe head.append(contentsOf: buffer[..<Int(count)]) }
            guard count <= 0 || head.count >= FeedJunction.enough else { continue }
            surplus = FeedJunction.overlap(of: head, with: earlier)
            (earlier, passed, isJoined) = ([], 0, true)
        }
        while true {
            let count: Int32
            if head.isEmpty {
                replayBuffer.waits()
                count = unsafe avio_read_partial(
                    source,
                    buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    Int32(buffer.count)
                )
            } else {
                count = unsafe take(from: head[...], buffer) { head.removeFirst($0) }
            }
            guard count > 0 else { return count == 0 ? FFmpegError.endOfFile : count }
            let known = min(surplus, Int(count))
            surplus -= known
            let rest = Int(count) - known
            if rest == 0 { continue }
            if known > 0, let start = buffer.baseAddress { unsafe memmove(start, start + known, rest) }
            unsafe keep(buffer, rest)
            return Int32(rest)
        }
    }

    /// Keeps what is read for replay, also what another reader has read before: a third one may need that.
    private func keep(_ buffer: UnsafeMutableRawBufferPointer, _ count: Int) {
        replayBuffer.passed(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<count])))
    }

    private func take(
        from bytes: ArraySlice<UInt8>,
        _ buffer: UnsafeMutableRawBufferPointer,
        _ taken: (Int) -> Void
    ) -> Int32 {
        let count = min(buffer.count, bytes.count)
        unsafe buffer.copyBytes(from: bytes.prefix(count))
        taken(count)
        return Int32(count)
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
        opaque,
        buffer,
        size in
        guard let opaque = unsafe opaque, let buffer = unsafe buffer else { return FFmpegError.endOfFile }
        let source = unsafe Unmanaged<FeedSource>.fromOpaque(opaque).takeUnretainedValue()
        return unsafe source.next(UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
    }
}
