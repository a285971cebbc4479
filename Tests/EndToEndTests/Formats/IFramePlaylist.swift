import Foundation
import TestSupport

/// An I-frame playlist, read line by line and played picture by picture.
struct IFramePlaylist: Sendable {
    /// One picture: the duration that it stands for, and a playlist of it alone.
    struct Entry: Sendable {
        var duration: Double
        var text: String
        var hasByteRange: Bool
    }

    var isIFramesOnly: Bool
    var entries: [Entry] = []

    /// - Parameters:
    ///   - text: The playlist.
    ///   - base: What its URIs are relative to, with a slash at its end.
    init(_ text: String, base: String) {
        var scope: [String: String] = [:]
        var own: [String] = []
        isIFramesOnly = false
        for line in text.split(separator: "\n").map(String.init) {
            let name = line.prefix { $0 != ":" }
            switch name {
            case "#EXT-X-I-FRAMES-ONLY": isIFramesOnly = true
            case "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-TARGETDURATION", "#EXT-X-VERSION", "#EXT-X-MEDIA-SEQUENCE":
                let isRelative = line.contains("URI=\"") && !line.contains("://")
                scope[String(name)] = isRelative ? line.replacing("URI=\"", with: "URI=\"\(base)") : line
            case "#EXTINF", "#EXT-X-BYTERANGE": own.append(line)
            case _ where name.hasPrefix("#") || line.isEmpty: break
            default:
                let first = own.first { $0.hasPrefix("#EXTINF") } ?? ""
                let lines =
                    ["#EXTM3U"] + scope.values.sorted(by: Self.headersFirst) + own + [base + line, "#EXT-X-ENDLIST"]
                entries.append(
                    Entry(
                        duration: Double(first.dropFirst("#EXTINF:".count).prefix { $0 != "," }) ?? 0,
                        text: lines.joined(separator: "\n") + "\n",
                        hasByteRange: own.contains { $0.hasPrefix("#EXT-X-BYTERANGE") }
                    )
                )
                own = []
            }
        }
    }

    /// A key is in front of the initialization section that may be encrypted with it.
    private static func headersFirst(_ left: String, _ right: String) -> Bool {
        func rank(_ line: String) -> Int { line.hasPrefix("#EXT-X-MAP") ? 2 : line.hasPrefix("#EXT-X-KEY") ? 1 : 0 }
        return (rank(left), left) < (rank(right), right)
    }

    /// What each entry decodes to by itself, which ought to be one picture.
    func pictures(in directory: TemporaryDirectory, by generation: FFmpegGeneration = .five) async throws -> [[String]]
    {
        var pictures: [[String]] = []
        for (index, entry) in entries.enumerated() {
            let file = try directory.write(entry.text, to: "\(UUID().uuidString)-\(index).m3u8")
            pictures.append(try await Frames.decoded(playlistOptions + [file], by: generation).map(\.checksum))
        }
        return pictures
    }
}
