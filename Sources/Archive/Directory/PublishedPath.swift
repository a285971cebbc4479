import MediaCore
import Playlists
import Presentation

/// The kind of a file below a channel's URL, by its name.
enum PublishedPath: Hashable {
    case multivariantPlaylist
    case mediaPlaylist
    case segment
    case initialization

    /// Reads a path; fails for names that this program does not give, whose files belong to others.
    init?(_ path: String) {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        switch components.count {
        case 1 where MultivariantName(rawValue: path) != nil: self = .multivariantPlaylist
        case 1:
            guard path.hasSuffix(".m3u8"), Self.isRendition(path.dropLast(5)) else { return nil }
            self = .mediaPlaylist
        case 2 where Self.isRendition(components[0]):
            let parts = components[1].split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            if parts[0].hasPrefix("init-"), parts[1] == "mp4", parts[0].dropFirst(5).allSatisfy(\.isHexDigit) {
                self = .initialization
            } else {
                // Slots are counted from 1970: even at 30 s each, their numbers have had eight digits since 1979.
                let isNumber = parts[0].count >= 8 && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
                guard isNumber, SegmentFormat(rawValue: String(parts[1])) != nil else { return nil }
                self = .segment
            }
        default: return nil
        }
    }

    /// Returns true if it is the name of a folder that segments of a rendition lie in: `video-1080p`, `audio-en-ac3`.
    static func isRendition(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } }) else {
            return false
        }
        switch parts[0] {
        case "video": return parts.count > 1 && parts[1].last == "p" && Int(parts[1].dropLast()) != nil
        case "audio", "text": return true
        default: return false
        }
    }
}
