import CFFmpeg
import MediaCore

/// The subtitles and captions inside a feed.
extension FormatContext {
    /// Returns the text that is read in the stream at an index; nil if it has none, or none that is wanted.
    func describeText(at index: Int, _ wanted: FeedSubtitles) -> TextStream? {
        guard unsafe index < Int(pointer.pointee.nb_streams) else { return nil }
        return unsafe describeText(pointer.pointee.streams[index], index: index, wanted)
    }

    private func describeText(
        _ stream: UnsafeMutablePointer<AVStream>?,
        index: Int,
        _ wanted: FeedSubtitles
    ) -> TextStream? {
        guard let stream = unsafe stream, let parameters = unsafe stream.pointee.codecpar else { return nil }
        // libavformat 5.1 knows text of ISO/IEC 14496-30 by its sample entry only.
        let entry = unsafe Self.format(ofSampleEntry: parameters.pointee.codec_tag)
        let isData = unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_DATA
        guard unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE || isData && entry != nil else {
            return nil
        }
        let header = unsafe UnsafeBufferPointer(
            start: parameters.pointee.extradata,
            count: parameters.pointee.extradata == nil ? 0 : max(0, Int(parameters.pointee.extradata_size))
        )
        let bytes = unsafe Array(header)
        let codec = unsafe parameters.pointee.codec_id
        let disposition = unsafe stream.pointee.disposition
        let languages = unsafe tag("language", of: stream)?.split(separator: ",").map(String.init) ?? []
        var text = TextStreamTracks(ofStream: index, languages: languages, disposition: disposition)
        switch codec {
        case AV_CODEC_ID_DVB_TELETEXT:
            text.addTeletext(header: bytes, wanted)
        case AV_CODEC_ID_DVB_SUBTITLE:
            guard wanted.choices.contains(.bitmaps) else { return nil }
            text.addBitmaps(header: bytes)
        default:
            guard wanted.choices.contains(.text), let format = entry ?? Self.format(of: codec) else { return nil }
            text.addText(format, header: bytes)
        }
        return text.stream.tracks.isEmpty ? nil : text.stream
    }

    private static func format(ofSampleEntry tag: UInt32) -> TextStream.Format? {
        switch tag {
        case 0x7474_7677: .webVTTBoxes  // wvtt
        case 0x7070_7473: .ttml  // stpp
        default: nil
        }
    }

    private static func format(of codec: AVCodecID) -> TextStream.Format? {
        switch codec {
        case AV_CODEC_ID_WEBVTT: return .webVTT
        case AV_CODEC_ID_TTML: return .ttml
        default:
            guard let descriptor = unsafe avcodec_descriptor_get(codec),
                unsafe descriptor.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0,
                unsafe avcodec_find_decoder(codec) != nil
            else { return nil }
            // Line 21 in a track of its own says nothing without its field and channel.
            return codec == AV_CODEC_ID_EIA_608 ? nil : .decoded(unsafe String(cString: avcodec_get_name(codec)))
        }
    }

    private func tag(_ name: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
        guard let entry = unsafe av_dict_get(stream.pointee.metadata, name, nil, 0),
            let value = unsafe entry.pointee.value
        else { return nil }
        return unsafe String(cString: value)
    }
}

/// Collects the tracks of a stream that has text.
private struct TextStreamTracks {
    var stream: TextStream
    private let languages: [String]
    private let disposition: Int32

    /// - Parameters:
    ///   - index: The index of the stream in the container.
    ///   - languages: The languages of its tracks, in the order of its header.
    ///   - disposition: The flags of libavformat.
    init(ofStream index: Int, languages: [String], disposition: Int32) {
        stream = TextStream(index: index, format: .teletext, headers: [], tracks: [])
        self.languages = languages
        self.disposition = disposition
    }

    /// Adds the pages that are wanted.
    mutating func addTeletext(header: [UInt8], _ wanted: FeedSubtitles) {
        for (place, page) in TeletextPage.pages(in: header).enumerated() {
            guard let page, !stream.has(page: page.number) else { continue }
            let isSubtitles = page.kind == .subtitles || page.kind == .hearingImpairedSubtitles
            guard isSubtitles && wanted.choices.contains(.teletext) || wanted.pages.contains(page.number) else {
                continue
            }
            let isImpaired = page.kind == .hearingImpairedSubtitles
            add(.teletext(page: page.number), header: [], place: place, isForHearingImpaired: isImpaired)
        }
        for page in wanted.pages where !stream.has(page: page) {
            add(.teletext(page: page), header: [], place: 0, isForHearingImpaired: false)
        }
    }

    mutating func addBitmaps(header: [UInt8]) {
        stream.format = .bitmaps
        // composition_page_id, ancillary_page_id and subtitling_type of each (ETSI EN 300 468 § 6.2.41).
        let pages = stride(from: 0, to: max(header.count - 4, 0), by: 5).map { Array(header[$0..<$0 + 5]) }
        for (place, page) in pages.enumerated() {
            add(.bitmaps, header: page, place: place, isForHearingImpaired: 0x20...0x25 ~= page[4])
        }
    }

    mutating func addText(_ format: TextStream.Format, header: [UInt8]) {
        stream.format = format
        let isImpaired = disposition & (AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_CAPTIONS) != 0
        add(.track, header: header, place: 0, isForHearingImpaired: isImpaired)
    }

    private mutating func add(_ service: TextService, header: [UInt8], place: Int, isForHearingImpaired: Bool) {
        guard stream.tracks.count < TextStream.mostTracks else { return }
        var track = InputTrack(
            index: TextStream.trackIndex(stream: stream.index, place: stream.tracks.count),
            kind: .text(.webVTT),
            codec: .text(.webVTT),
            language: place < languages.count ? LanguageTag.bcp47(languages[place]) : nil
        )
        track.service = service
        track.isForced = disposition & AV_DISPOSITION_FORCED != 0
        track.isForHearingImpaired = isForHearingImpaired
        stream.tracks.append(track)
        stream.headers.append(header)
    }
}

extension TextStream {
    fileprivate func has(page: Int) -> Bool { tracks.contains { $0.service == .teletext(page: page) } }
}
