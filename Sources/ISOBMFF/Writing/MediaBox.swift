import MediaCore

/// Media (mdia), in `TrackBox` (ISO/IEC 14496-12 § 8.4.1).
struct MediaBox: Box {
    static let type: FourCC = "mdia"

    var header: MediaHeaderBox
    var extendedLanguage: ExtendedLanguageBox?
    var handler: HandlerBox
    var information: MediaInformationBox

    var contentByteCount: Int {
        header.byteCount + (extendedLanguage?.byteCount ?? 0) + handler.byteCount + information.byteCount
    }

    func encodeContent(into span: inout OutputRawSpan) {
        header.encode(into: &span)
        extendedLanguage?.encode(into: &span)
        handler.encode(into: &span)
        information.encode(into: &span)
    }
}

/// Media header (mdhd), in `MediaBox` (ISO/IEC 14496-12 § 8.4.2).
struct MediaHeaderBox: FullBox {
    static let type: FourCC = "mdhd"

    /// Ticks per second of all times in the track.
    var timescale: UInt32
    /// Ticks; 0 in a live movie.
    var duration: UInt64 = 0
    /// ISO 639-2/T, packed.
    var language: UInt16

    var version: UInt8 { duration > UInt32.max ? 1 : 0 }
    var fieldsByteCount: Int { version == 1 ? 32 : 20 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(version == 1 ? 16 : 8)  // creation_time, modification_time
        span.writeInteger(timescale)
        if version == 1 {
            span.writeInteger(duration)
        } else {
            span.writeInteger(UInt32(truncatingIfNeeded: duration))
        }
        span.writeInteger(language)
        span.writeZeros(2)
    }
}

/// Extended language (elng), in `MediaBox`: what three letters cannot say (ISO/IEC 14496-12 § 8.4.6).
struct ExtendedLanguageBox: FullBox {
    static let type: FourCC = "elng"

    /// A BCP 47 tag.
    var tag: String

    var fieldsByteCount: Int { tag.utf8.count + 1 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.write(tag.utf8)
        span.writeZeros(1)
    }
}

/// Handler reference (hdlr), in `MediaBox` (ISO/IEC 14496-12 § 8.4.3).
struct HandlerBox: FullBox {
    static let type: FourCC = "hdlr"

    var kind: MediaKind

    private var name: StaticString {
        switch kind {
        case .video: "VideoHandler"
        case .audio: "SoundHandler"
        case .text: "TextHandler"
        }
    }

    private var handlerType: FourCC {
        switch kind {
        case .video: "vide"
        case .audio: "soun"
        // ISO/IEC 14496-30 § 7.3, 8.2.
        case .text(.webVTT): "text"
        case .text(.imsc1): "subt"
        }
    }

    var fieldsByteCount: Int { 20 + name.utf8CodeUnitCount + 1 }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeZeros(4)  // pre_defined
        span.writeInteger(handlerType.code)
        span.writeZeros(12)
        name.withUTF8Buffer { span.write($0) }
        span.writeZeros(1)
    }
}
