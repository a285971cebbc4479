import CFFmpeg
import MediaCore

/// Owns one of libavcodec's decoders of subtitles.
struct SubtitleDecoder: ~Copyable {
    /// The contents of the screen from a packet on.
    struct Page {
        /// Text with the override tags of ASS; one for each rectangle.
        var texts: [String] = []
        var bitmaps: [SubtitleBitmap] = []
        /// The time when it begins, in 90 kHz ticks.
        var start: Int64
        /// The time for which it is shown, in 90 kHz ticks; nil if unknown.
        var duration: Int64?
    }

    private static let ticksPerMillisecond = MediaTime.timescale / 1000
    private let context: CodecContext
    private var packet: Packet

    /// - Parameters:
    ///   - name: The name of the decoder, or of the codec if it has no other.
    ///   - header: The header from the container, or empty.
    ///   - options: The options of the decoder.
    /// - Throws: An error if libavcodec has no such decoder, or cannot open it.
    init(_ name: String, header: [UInt8], options: [String: String] = [:]) throws(FFmpegError) {
        let decoder =
            unsafe avcodec_find_decoder_by_name(name)
            ?? avcodec_descriptor_get_by_name(name).flatMap { unsafe avcodec_find_decoder($0.pointee.id) }
        guard let decoder = unsafe decoder else {
            throw FFmpegError(code: cffmpeg_error_decoder_not_found(), operation: "open codec")
        }
        let context = unsafe try CodecContext(decoder)
        try context.setHeader(header)
        unsafe context.pointer.pointee.pkt_timebase = AVRational(num: 1, den: Int32(MediaTime.timescale))
        for (name, value) in options {
            try FFmpegError.check(
                unsafe av_opt_set(context.pointer, name, value, AV_OPT_SEARCH_CHILDREN),
                "open codec"
            )
        }
        try context.open()
        packet = try Packet()
        self.context = context
    }

    /// Decodes a packet; a damaged one shows nothing.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the packet.
    ///   - timestamp: The timestamp of the packet, in 90 kHz ticks.
    ///   - duration: In 90 kHz ticks, as the container says; 0 if it does not.
    /// - Returns: Nil if it changes nothing on the screen; a page without anything clears it.
    /// - Throws: If there is no memory for the packet.
    mutating func decode(_ bytes: RawSpan, timestamp: Int64, duration: Int64) throws(FFmpegError) -> Page? {
        try packet.fill(with: bytes)
        defer { packet.release() }
        packet.presentationTimestamp = timestamp
        packet.duration = duration
        var subtitle = unsafe AVSubtitle()
        var isThere: Int32 = 0
        guard unsafe packet.decode(with: context.pointer, into: &subtitle, &isThere) >= 0, isThere != 0 else {
            return nil
        }
        defer { unsafe avsubtitle_free(&subtitle) }
        let (begin, end) = unsafe (subtitle.start_display_time, subtitle.end_display_time)
        // A page of teletext may belong to an earlier packet than the one that completes it; microseconds.
        let pushed = unsafe subtitle.pts
        let time =
            pushed == cffmpeg_no_timestamp()
            ? timestamp : MediaTime.rescale(pushed, from: 1_000_000, to: MediaTime.timescale)
        var page = Page(start: time + Int64(begin) * Self.ticksPerMillisecond)
        if end != .max, end > begin { page.duration = Int64(end - begin) * Self.ticksPerMillisecond }
        for index in 0..<Int(unsafe subtitle.num_rects) {
            guard let rectangle = unsafe subtitle.rects?[index] else { continue }
            switch unsafe rectangle.pointee.type {
            case SUBTITLE_ASS:
                guard let event = unsafe rectangle.pointee.ass.map({ unsafe String(cString: $0) }) else { continue }
                page.texts.append(Self.text(of: event))
            case SUBTITLE_TEXT:
                guard let text = unsafe rectangle.pointee.text.map({ unsafe String(cString: $0) }) else { continue }
                page.texts.append(text)
            case SUBTITLE_BITMAP:
                if let bitmap = unsafe SubtitleBitmap(rectangle) { page.bitmaps.append(bitmap) }
            default: break
            }
        }
        return page
    }

    /// The last field of an event: ReadOrder, Layer, Style, Name, three margins and Effect stand before it.
    private static func text(of event: String) -> String {
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        return fields.count == 9 ? String(fields[8]) : ""
    }
}
