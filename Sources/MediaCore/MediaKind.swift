/// The kind of media of a track.
package enum MediaKind: Hashable, Sendable {
    case video, audio
    /// Subtitles, or captions that are apart from the pictures.
    case text(TextFormat)

    /// True if samples come only now and then, so that a missing one cannot be detected and is not waited for.
    package var isSparse: Bool {
        switch self {
        case .video, .audio: false
        case .text: true
        }
    }

    /// True if it is encrypted where a channel is: SAMPLE-AES is not defined for text, and what is on air in words is
    /// no secret that a key would keep.
    package var isProtected: Bool {
        switch self {
        case .video, .audio: true
        case .text: false
        }
    }

    /// The lower one says where a channel's other tracks are cut.
    package var leadership: Int {
        switch self {
        case .video: 0
        case .audio: 1
        case .text: 2
        }
    }
}

extension MediaKind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .text: "text"
        }
    }
}

/// The names in journals and for peers.
extension MediaKind: RawRepresentable {
    package init?(rawValue: String) {
        switch rawValue {
        case "video": self = .video
        case "audio": self = .audio
        default:
            guard let format = TextFormat(rawValue: rawValue) else { return nil }
            self = .text(format)
        }
    }

    package var rawValue: String {
        switch self {
        case .video, .audio: description
        case .text(let format): format.rawValue
        }
    }
}
