/// The format of a rendition's segments; its name ends their paths.
package enum SegmentFormat: String, Hashable, Sendable, CaseIterable {
    /// Fragmented MP4 (CMAF), which has initialization sections.
    case fragmentedMP4 = "m4s"
    case transportStream = "ts"
    // Packed audio: frames behind an ID3 tag (RFC 8216bis § 3.1.3).
    case aac, ac3, ec3, mp3
    case webVTT = "vtt"

    /// The format of the segment at a path; an initialization section is fragmented MP4.
    package init(path: String) {
        let name = path.split(separator: ".").last.map(String.init) ?? ""
        self = SegmentFormat(rawValue: name) ?? .fragmentedMP4
    }

    /// True if an initialization section stands before the segments.
    package var hasInitializationSections: Bool { self == .fragmentedMP4 }

    /// True if segments may tell of splices themselves (`emsg`).
    package var carriesMessages: Bool { self == .fragmentedMP4 }

    /// True if a segment of pictures may have their audio in it.
    package var carriesAudioWithPictures: Bool { self == .transportStream }

    /// Feeds whose timed metadata segments have in them.
    package enum MetadataFeeds: Hashable, Sendable {
        case none
        /// The format of the rendition itself.
        case own
        /// The whole channel, since players read it in one rendition or the other.
        case all
    }

    package var metadataFeeds: MetadataFeeds {
        switch self {
        case .transportStream: .own
        case .fragmentedMP4, .aac, .ac3, .ec3, .mp3: .all
        case .webVTT: .none
        }
    }

    /// The media type (RFC 8216bis § 3.1, Apple's authoring specification § 10).
    package func contentType(of kind: MediaKind) -> String {
        switch self {
        case .fragmentedMP4:
            switch kind {
            case .video: "video/mp4"
            case .audio: "audio/mp4"
            case .text: "application/mp4"
            }
        case .transportStream: "video/mp2t"
        case .aac: "audio/aac"
        case .ac3: "audio/ac3"
        case .ec3: "audio/eac3"
        case .mp3: "audio/mpeg"
        case .webVTT: "text/vtt"
        }
    }
}
