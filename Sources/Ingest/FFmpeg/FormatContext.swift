import CFFmpeg
import Glibc
import MediaCore

/// Owns one AVFormatContext: an input, opened.
@safe
struct FormatContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    let container: Container
    /// The program that is read if none is chosen and the container has programs.
    var chosenProgram: Int?
    /// The last known tracks of the chosen programs.
    var wantedPrograms: [Int: [InputTrack]] = [:]
    /// Asked by libavformat until the context is closed.
    private let watch: FormatWatch
    /// The source of bytes that libavformat does not fetch itself; it is read until the context is closed.
    private let source: SourceContext?
    /// The same of a feed that another reader may continue with.
    private let shared: FeedSource?
    /// The feed of a publisher, if one is read.
    private let published: PublishedFeed?
    /// Finds the SCTE-35 that libavformat does not show; nil if it is not wanted.
    ///
    /// Read by libavformat until the context is closed.
    let tap: SpliceTap?

    /// Opens an input, and waits until its contents are known.
    ///
    /// - Parameters:
    ///   - address: The address to open.
    ///   - shared: The source of its bytes, where another reader may continue with them.
    ///   - point: The place that waits for its publisher; nil for a feed that is fetched.
    ///   - splicePIDs: The PIDs where SCTE-35 is looked for; empty for those that program maps register.
    ///   - signal: Ends the waiting.
    /// - Throws: If it cannot be opened or read, is of no known format, or `signal` is raised.
    init(
        opening address: FeedAddress,
        shared: FeedSource? = nil,
        from point: PublishingPoint? = nil,
        splicePIDs: [SplicePID] = [],
        signal: StopSignal
    ) throws(FFmpegError) {
        LibraryLog.takeAll()
        var options: OpaquePointer?
        defer { unsafe av_dict_free(&options) }
        for (name, value) in address.options { unsafe av_dict_set(&options, name, value, 0) }
        let published = try point?.nextFeed()
        let watch = FormatWatch(signal, waitsForEncoder: address.waitsForEncoder)
        var source: SourceContext?
        var tap: SpliceTap?
        if let published {
            source = try SourceContext(published)
        } else if address.feed.isStandardInput {
            source = try SourceContext(StandardInput(signal: signal))
            if !splicePIDs.isEmpty, let context = unsafe source?.context {
                tap = try unsafe SpliceTap(splicePIDs, reading: context)
            }
        } else if let shared {
            if !splicePIDs.isEmpty { tap = try unsafe SpliceTap(splicePIDs, reading: shared.context) }
        } else if !splicePIDs.isEmpty, address.feed.isByteStream, address.datagrams == nil {
            var stream: UnsafeMutablePointer<AVIOContext>?
            var callback = unsafe watch.interruptCallback
            // The demuxer needs all of the options, too.
            var own: OpaquePointer?
            defer { unsafe av_dict_free(&own) }
            _ = unsafe av_dict_copy(&own, options, 0)
            try FFmpegError.check(unsafe avio_open2(&stream, address.url, AVIO_FLAG_READ, &callback, &own), "open")
            if let stream = unsafe stream { tap = try unsafe SpliceTap(splicePIDs, reading: stream, owning: watch) }
        }
        let pointer: UnsafeMutablePointer<AVFormatContext>
        do throws(FFmpegError) {
            unsafe pointer = try unsafe Self.open(address, &options, reading: source, shared, tap, watch)
        } catch {
            watch.closed()
            published?.close()
            throw watch.exceeded?.error ?? error
        }
        watch.opened()
        unsafe self.pointer = unsafe pointer
        container = unsafe Container(pointer)
        self.watch = watch
        self.source = source
        self.shared = shared
        self.published = published
        self.tap = tap
        giveUpProbingBuffer()
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFormatContext>? = unsafe pointer
        unsafe avformat_close_input(&pointer)
        watch.closed()
        published?.close()
    }

    /// The opened context, which the caller owns.
    private static func open(
        _ address: FeedAddress,
        _ options: inout OpaquePointer?,
        reading source: SourceContext?,
        _ shared: FeedSource?,
        _ tap: SpliceTap?,
        _ watch: FormatWatch
    ) throws(FFmpegError) -> UnsafeMutablePointer<AVFormatContext> {
        var context = unsafe avformat_alloc_context()
        guard let format = unsafe context else { throw FFmpegError(code: FFmpegError.outOfMemory, operation: "open") }
        unsafe watch.attach(to: format)
        unsafe shared?.attach(to: format, watch)
        unsafe source?.attach(to: format, watch)
        unsafe tap?.attach(to: format)
        // If this fails, it frees the context.
        let opened = unsafe avformat_open_input(&context, address.url, nil, &options)
        if opened == FFmpegError.posix(EINVAL) || opened == FFmpegError.invalidData, let formats = address.formats {
            let what =
                formats.first == "mpegts" && address.feed.isReceived
                ? "it is no MPEG-TS" : "it has none of the formats that this kind of input takes"
            throw FFmpegError(code: opened, operation: "open", reason: "\(what), or the address is wrong")
        }
        try FFmpegError.check(opened, "open")

        if unsafe Container(format).hasProgramMap {
            // PES packets are wanted as they are: parsers would search and copy every byte once more, and hold each
            // picture back until the next one but one begins.
            unsafe format.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
            // Packets that no program map lists would hold back all others while libavformat looks for their codec.
            unsafe format.pointee.probesize = 4_096
            return unsafe format
        }
        let result = unsafe avformat_find_stream_info(format, nil)
        if result < 0 { unsafe avformat_close_input(&context) }
        try FFmpegError.check(result, "probe")
        return unsafe format
    }

    /// The bytes of memory that libavformat reads ahead into; nil if it does not read a stream of bytes.
    var bufferByteCount: Int? {
        guard let stream = unsafe pointer.pointee.pb else { return nil }
        return Int(unsafe stream.pointee.buffer_size)
    }

    /// The bytes that libavformat and the sources of this module read ahead at most, but for finding tracks.
    private static let usualBuffer: Int32 = 65_536

    /// Has libavformat give up the memory in which it looked for the tracks: 5 MB for a transport stream.
    ///
    /// It would fill it to its end before it takes less, for more than a minute with a feed of 0.5 Mbit/s. A stream of
    /// packets as large as that is read to the front of the memory, and libavformat replaces it then.
    private func giveUpProbingBuffer() {
        guard container.hasProgramMap, let stream = unsafe pointer.pointee.pb,
            unsafe stream.pointee.max_packet_size == 0, unsafe stream.pointee.buffer_size > Self.usualBuffer
        else { return }
        unsafe stream.pointee.max_packet_size = stream.pointee.buffer_size
    }

    /// Ends what ``giveUpProbingBuffer()`` began, once the memory is smaller.
    private func endProbing() {
        guard let stream = unsafe pointer.pointee.pb,
            unsafe stream.pointee.max_packet_size > stream.pointee.buffer_size
        else { return }
        unsafe stream.pointee.max_packet_size = 0
    }

    /// The way in which a container announces its tracks.
    struct Container {
        /// True if the container itself says all that is wanted of its tracks.
        ///
        /// A transport stream's program map does (ISO/IEC 13818-1 § 2.4.4.8), and the codec headers come in band.
        /// Probing would hold back the first seconds of a live feed, hand them over as one burst, and decode pictures
        /// for nothing.
        var hasProgramMap = false
        /// True if only packets show that a track is encrypted: MP4, and its relatives.
        var mayHideEncryption = false
    }

    /// The time since the last byte that was read came to this machine; nil if that is not known.
    var age: Duration? {
        guard let shared, let stream = unsafe pointer.pointee.pb else { return nil }
        return unsafe shared.age(of: stream)
    }

    /// The length of the file; nil if it is unknown, or if it is not one file.
    var byteCount: Int64? {
        guard let source = unsafe pointer.pointee.pb else { return nil }
        let size = unsafe avio_size(source)
        return size > 0 ? size : nil
    }

    enum Reading {
        case packet
        /// No packet yet; the caller is to try again soon.
        case nothing
        /// Bytes that are no packet; reading may continue behind them.
        case damage
        case end
    }

    /// Reads the next packet.
    ///
    /// - Throws: The error of the input; `exitRequested` when the signal is raised.
    mutating func read(into packet: inout Packet) throws(FFmpegError) -> Reading {
        endProbing()
        let result = unsafe packet.read(from: pointer)
        if result < 0, let limit = watch.exceeded { throw limit.error }
        return switch result {
        case 0...: .packet
        case FFmpegError.tryAgain: .nothing
        case FFmpegError.invalidData: .damage
        case FFmpegError.endOfFile: .end
        case let code: throw FFmpegError(code: code, operation: "read")
        }
    }

    /// Goes back to the first packet.
    ///
    /// - Throws: If the input cannot seek.
    mutating func rewind() throws(FFmpegError) {
        // By byte if timestamps may jump within the file, because such a file cannot be searched by time.
        let hasJumps = unsafe pointer.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
        let flags = hasJumps ? AVSEEK_FLAG_BYTE : AVSEEK_FLAG_BACKWARD
        let start =
            unsafe hasJumps || pointer.pointee.start_time == cffmpeg_no_timestamp() ? 0 : pointer.pointee.start_time
        try FFmpegError.check(unsafe avformat_seek_file(pointer, -1, Int64.min, start, start, flags), "rewind")
    }
}

extension FormatContext.Container {
    fileprivate init(_ format: UnsafeMutablePointer<AVFormatContext>) {
        guard let name = unsafe format.pointee.iformat.pointee.name else { return }
        let names = unsafe String(cString: name).split(separator: ",")
        hasProgramMap = names.contains { ["mpegts", "rtp"].contains($0) }
        mayHideEncryption = names.contains { ["mp4", "hls", "dash"].contains($0) }
    }
}
