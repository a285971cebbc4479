import MediaCore
import TimedText

/// Reads the cues of one track in the packets of its stream.
final class TextTrackReader {
    private enum Syntax {
        /// Each page stays until the next one comes.
        case screen(ScreenText)
        /// The same, of bitmaps.
        case bitmaps(BitmapPages)
        /// The same, of boxes of WebVTT.
        case boxes(ScreenText)
        /// Each packet is a cue.
        case cues
        case webVTT
        case ttml
    }

    let track: InputTrack
    private var decoder: SubtitleDecoder?
    private var syntax: Syntax
    /// True if the last packet had a page of teletext with text.
    private(set) var hasReadPage = false

    /// - Parameters:
    ///   - track: The track.
    ///   - format: The format of its stream.
    ///   - header: The header for its decoder.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    /// - Throws: An error if there is no decoder for it.
    init(_ track: InputTrack, _ format: TextStream.Format, header: [UInt8], modulus: Int64?) throws(FFmpegError) {
        self.track = track
        switch format {
        case .teletext:
            var options = ["txt_format": "ass", "txt_duration": "-1"]
            if case .teletext(let page)? = track.service { options["txt_page"] = "\(page)" }
            decoder = try SubtitleDecoder("libzvbi_teletextdec", header: header, options: options)
            syntax = .screen(ScreenText(modulus: modulus))
        case .bitmaps:
            decoder = try SubtitleDecoder("dvbsub", header: header)
            syntax = .bitmaps(BitmapPages(language: LanguageTag.tesseract(track.language), modulus: modulus))
        case .webVTT: syntax = .webVTT
        case .webVTTBoxes: syntax = .boxes(ScreenText(modulus: modulus))
        case .ttml: syntax = .ttml
        case .decoded(let name):
            decoder = try SubtitleDecoder(name, header: header)
            syntax = .cues
        }
    }

    /// A packet of the stream came.
    ///
    /// - Parameters:
    ///   - payload: Its bytes.
    ///   - info: Its times.
    ///   - shift: The time by which they are later than in the container, in 90 kHz ticks.
    ///   - settings: Cue settings of WebVTT that stand beside it.
    /// - Returns: The cues that are shown, and those that have ended.
    func read(_ payload: RawSpan, _ info: PacketInfo, shift: Int64, settings: String?) -> [FeedCue] {
        guard let time = info.presentationTimestamp ?? info.decodeTimestamp else { return [] }
        switch syntax {
        case .webVTT:
            guard let content = CueContent(text: payload.text, settings: settings ?? "") else { return [] }
            return [FeedCue(start: time, duration: max(info.duration, 1), content: content)]
        case .ttml: return documentCues(payload, at: time, info, shift: shift)
        case .cues:
            guard let page = page(payload, info, time), let content = CueContent(assTexts: page.texts) else {
                return []
            }
            return [FeedCue(start: page.start, duration: page.duration ?? max(info.duration, 1), content: content)]
        case .bitmaps(var pages):
            defer { syntax = .bitmaps(pages) }
            // A PES packet is whole, with data_identifier and subtitle_stream_id ahead of its segments (ETSI EN 300 743
            // § 7.2), which libavcodec's parser would have taken away.
            let hasHead = payload.byteCount > 2 && payload.byte(0) == 0x20 && payload.byte(1) == 0
            let segments = hasHead ? payload.extracting(droppingFirst: 2) : payload
            if let page = page(segments, info, time) { pages.add(page) }
            return pages.takeCues()
        case .boxes(var screen):
            defer { syntax = .boxes(screen) }
            let duration = info.duration > 0 ? info.duration : nil
            return screen.show(CueContent(webVTTSample: payload), at: time, for: duration)
        case .screen(var screen):
            defer { syntax = .screen(screen) }
            hasReadPage = false
            guard let page = page(payload, info, time) else { return screen.reached(time) }
            let content = CueContent(assTexts: page.texts, isPage: true)
            hasReadPage = content != nil
            return screen.show(content, at: page.start, for: page.duration)
        }
    }

    /// True if text was read beside this thread and not delivered, or will be.
    var isWaiting: Bool { if case .bitmaps(let pages) = syntax { pages.isWaiting } else { false } }

    /// Returns the reason why something cannot be read; once, and after it was tried.
    func takeObstacle() -> TextObstacle? {
        if case .bitmaps(let pages) = syntax { pages.takeObstacle() } else { nil }
    }

    /// Cues that have become known without a packet.
    func takeCues() -> [FeedCue] {
        guard case .bitmaps(var pages) = syntax, pages.isWaiting else { return [] }
        defer { syntax = .bitmaps(pages) }
        return pages.takeCues()
    }

    private func page(_ payload: RawSpan, _ info: PacketInfo, _ time: Int64) -> SubtitleDecoder.Page? {
        (try? decoder?.decode(payload, timestamp: time, duration: info.duration)) ?? nil
    }

    /// Times of a document are on its track's timeline (ISO/IEC 14496-30 § 5.3).
    private func documentCues(_ payload: RawSpan, at time: Int64, _ info: PacketInfo, shift: Int64) -> [FeedCue] {
        let bytes = unsafe payload.withUnsafeBytes { unsafe Array($0) }
        guard let document = try? TimedTextDocument(parsing: bytes) else { return [] }
        return document.cues.compactMap { cue in
            let (start, end) = (cue.start.ticks &+ shift, cue.end.ticks &+ shift)
            // It is shown while its sample is.
            guard end > max(start, time), info.duration == 0 || start < time + info.duration else { return nil }
            return FeedCue(start: start, duration: end - start, content: cue.content)
        }
    }
}

extension RawSpan {
    fileprivate var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}
