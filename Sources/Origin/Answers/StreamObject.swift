import NIOHTTP1
import Presentation

/// A kind of object of a stream, for `Priority` (RFC 9218) and `CMSD-Static` (CTA-5006).
struct StreamObject: Hashable {
    let content: Content
    let urgency: Urgency

    enum Content: Int, CaseIterable {
        case playlist, initialization, video, audio, captions, timedText, key, other

        /// Its token; nil if CTA-5006 has none, or only the bytes would show it.
        fileprivate var token: String? {
            switch self {
            case .playlist: "m"
            case .initialization: "i"
            case .video: "v"
            case .audio: "a"
            case .captions: "c"
            case .timedText: "tt"
            case .key: "k"
            case .other: nil
            }
        }
    }

    /// The urgency, a smaller number for the more urgent.
    ///
    /// Media has 2 to 6, and all rungs of a ladder are equal (RFC 8216bis Appendix B.1).
    enum Urgency: Int, CaseIterable {
        /// Everything else waits for it.
        case first = 1
        /// A player at the live edge waits for it.
        case next
        /// The urgency of a request without a priority.
        case usual
        /// Playback does not wait for it.
        case background = 6
    }

    static let playlist = Self(content: .playlist, urgency: .first)
    static let key = Self(content: .key, urgency: .first)
    static let media = Self(content: .other, urgency: .usual)
    static let background = Self(content: .other, urgency: .background)

    /// The common fields, with those that tell of the object.
    var fields: HTTPHeaders { Self.all[content.rawValue][urgency.rawValue] }

    /// Fields by content and urgency, so that an answer copies them at once.
    private static let all: [[HTTPHeaders]] = Content.allCases.map { content in
        (0...Urgency.background.rawValue).map { urgency -> HTTPHeaders in
            var fields = ResponseFields.common
            fields.add(name: "Priority", value: "u=\(urgency)")
            let type = content.token.map { "ot=\($0)," } ?? ""
            // Live HLS.
            fields.add(name: "CMSD-Static", value: "\(type)sf=h,st=l")
            return fields
        }
    }
}

extension StreamObject {
    init(_ resource: Resource) {
        if resource.text != nil {
            self = .playlist
        } else {
            let isInitialization = resource.kind == .initialization
            self.init(
                content: isInitialization ? .initialization : Content(contentType: resource.contentType),
                // Parts and initialization sections come before whole segments.
                urgency: resource.kind == .segment ? .usual : .next
            )
        }
    }
}

extension StreamObject.Content {
    /// Reads the media type of a segment.
    fileprivate init(contentType: String) {
        self =
            switch contentType {
            case "video/mp4": .video
            case "text/vtt": .captions
            case "application/mp4": .timedText
            // A transport stream may have both.
            default: contentType.hasPrefix("audio/") ? .audio : .other
            }
    }
}
