import CFFmpeg
import Glibc
import MediaCore

/// Sits between libavformat and the bytes of a feed that another reader may continue with, and of one that continues
/// with another's: first come those that the other has read.
///
/// Safe to be sent: it is opened by one thread and then read by one, the reader's.
@safe
final class FeedSource: @unchecked Sendable {
    /// The place that the bytes come from.
    fileprivate enum Origin {
        /// A port of this machine.
        case datagrams(DatagramFeed)
        case url(URLSource)
    }

    private let origin: Origin
    let context: UnsafeMutablePointer<AVIOContext>
    private let replayBuffer: FeedReplayBuffer
    /// Called with notices about the bytes; set before anything is read.
    var onNotice: (InputNotice) -> Void = { _ in }
    /// The bytes of another reader, and the number of them that were passed on.
    private var earlier: [UInt8] = []
    private var passed = 0
    /// The bytes that are read to find the place where the feed continues.
    private var head: [UInt8] = []
    /// The bytes at the beginning that the other reader had read already.
    private var surplus = 0
    private var isJoined = true
    /// The pieces of datagrams that were read last.
    private var pieces: [DatagramBatch.Datagram] = []
    private var arrivals = ArrivalMarks()

    private static let bufferSize: Int32 = 65_536
    /// The most bytes between two looks at the watch.
    private static let mostAtOnce: Int32 = 16_384
    /// Watches the context that reads from here.
    private var watch: FormatWatch?

    /// Opens the feed.
    ///
    /// - Parameters:
    ///   - address: The address of the feed.
    ///   - besideOthers: True if others may have it open.
    ///   - isPrompt: True if datagrams are to be read within 6 ms.
    ///   - signal: Ends the waiting.
    ///   - replayBuffer: Keeps the bytes.
    /// - Throws: If it cannot be opened.
    init(
        opening address: FeedAddress,
        besideOthers: Bool,
        isPrompt: Bool,
        signal: StopSignal,
        replayBuffer: FeedReplayBuffer
    ) throws(FFmpegError) {
        LibraryLog.takeAll()
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
        guard unsafe buffer != nil, let context = unsafe context else {
            unsafe av_free(buffer)
            throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open")
        }
        do throws(FFmpegError) {
            origin = try Origin(opening: address, besideOthers, isPrompt, signal)
        } catch {
            unsafe Self.free(context)
            throw error
        }
        unsafe self.context = unsafe context
        self.replayBuffer = replayBuffer
        unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe context.pointee.seekable = 0
    }

    deinit {
        if case .datagrams(let feed) = origin { feed.close() }
        unsafe Self.free(context)
    }

    private static func free(_ context: UnsafeMutablePointer<AVIOContext>) {
        // The buffer may be another than the one given: libavformat grows it while it probes.
        unsafe av_free(context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = unsafe context
        unsafe avio_context_free(&context)
    }

    /// Puts another reader's bytes before those to come.
    ///
    /// To be called before anything is read.
    func resume(after earlier: [UInt8]) {
        // Other formats need their header, which this connection delivers itself.
        guard FeedJunction.isTransportStream(earlier) else { return }
        self.earlier = earlier
        isJoined = earlier.isEmpty
    }

    /// Makes `format` read from here, as long as its watch permits; this must outlive it.
    func attach(to format: UnsafeMutablePointer<AVFormatContext>, _ watch: FormatWatch) {
        unsafe format.pointee.pb = unsafe context
        self.watch = watch
    }

    /// Returns true if the payload of RTP is a transport stream; waits for the first packet.
    func isTransportStream() -> Bool {
        guard case .datagrams(let feed) = origin, feed.form == .rtp else { return true }
        replayBuffer.waits()
        return feed.payloadType().map { $0 == RTPReader.transportStream } ?? true
    }

    /// Measures the time since the arrival of the last byte that a demuxer has taken.
    ///
    /// - Parameter demuxer: The context that it reads from, this one's or one that reads from it.
    /// - Returns: The time; nil if the arrival is unknown.
    func age(of demuxer: UnsafeMutablePointer<AVIOContext>) -> Duration? {
        let place = unsafe avio_seek(demuxer, 0, SEEK_CUR)
        guard case .datagrams = origin, place >= 0, let arrival = arrivals.arrival(before: place) else { return nil }
        return .nanoseconds(max(0, MonotonicTime.now - arrival))
    }

    /// Reads the next bytes.
    ///
    /// - Returns: The number of bytes, or an error of libavformat's.
    private func next(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        if passed < earlier.count {
            let count = unsafe take(from: earlier[passed...], buffer) { passed += $0 }
            arrivals.pass(Int(count))
            unsafe keep(buffer, Int(count))
            return count
        }
        while !isJoined {
            let count = unsafe readOrigin(buffer)
            if count > 0 { unsafe head.append(contentsOf: buffer[..<Int(count)]) }
            guard count <= 0 || head.count >= FeedJunction.enough else { continue }
            surplus = FeedJunction.overlap(of: head, with: earlier)
            (earlier, passed, isJoined) = ([], 0, true)
        }
        while true {
            let count: Int32
            if head.isEmpty {
                replayBuffer.waits()
                count = unsafe readOrigin(buffer)
            } else {
                count = unsafe take(from: head[...], buffer) { head.removeFirst($0) }
                pieces.removeAll(keepingCapacity: true)
            }
            guard count > 0 else { return count == 0 ? FFmpegError.endOfFile : count }
            let known = min(surplus, Int(count))
            surplus -= known
            let rest = Int(count) - known
            if rest == 0 { continue }
            if known > 0, let start = buffer.baseAddress { unsafe memmove(start, start + known, rest) }
            noteArrivals(of: rest, behind: known)
            unsafe keep(buffer, rest)
            return Int32(rest)
        }
    }

    private func readOrigin(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        pieces.removeAll(keepingCapacity: true)
        return switch origin {
        case .datagrams(let feed): unsafe feed.read(into: buffer, &pieces, onNotice: onNotice)
        case .url(let source): unsafe source.read(into: buffer)
        }
    }

    /// Notes the arrival of bytes that are passed on, behind some that are not.
    private func noteArrivals(of byteCount: Int, behind known: Int) {
        if pieces.isEmpty { return arrivals.pass(byteCount) }
        var left = known
        for var piece in pieces {
            let skipped = min(left, piece.byteCount)
            left -= skipped
            piece.byteCount -= skipped
            if piece.byteCount > 0 { arrivals.pass(piece) }
        }
    }

    /// Keeps bytes for replay, also those of another reader before: a third one may need them.
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
        if source.watch?.isOver == true { return FFmpegError.exitRequested }
        return unsafe source.next(UnsafeMutableRawBufferPointer(start: buffer, count: Int(min(size, mostAtOnce))))
    }
}

extension FeedSource.Origin {
    fileprivate init(
        opening address: FeedAddress,
        _ besideOthers: Bool,
        _ isPrompt: Bool,
        _ signal: StopSignal
    ) throws(FFmpegError) {
        if let problem = address.problem {
            // Libavformat would open it, and accept all senders.
            throw FFmpegError(code: FFmpegError.posix(EINVAL), operation: "open the port (\(problem.text))")
        }
        if let datagrams = address.datagrams {
            self = .datagrams(
                try DatagramFeed(
                    datagrams,
                    allowed: address.allowed,
                    besideOthers: besideOthers,
                    isPrompt: isPrompt,
                    signal: signal
                )
            )
        } else {
            if !besideOthers { try address.checkIsFree() }
            self = .url(try URLSource(opening: address, signal: signal))
        }
    }
}
