import Foundation
import TestSupport
import Testing

/// An I-frame playlist, read line by line and played picture by picture.
struct IFramePlaylist: Sendable {
    /// One picture: the duration that it stands for, and what a playlist of it alone says.
    struct Entry: Sendable {
        var duration: Double
        /// The last line of each tag that holds for all of the playlist.
        var scope: [String: String]
        /// EXTINF and EXT-X-BYTERANGE.
        var own: [String]
        var uri: String
        /// Its media sequence number.
        var number: Int64

        /// True if a key was in force where its initialization section was named (RFC 8216bis § 4.4.4.4).
        var isMapEncrypted: Bool

        var hasByteRange: Bool { own.contains { $0.hasPrefix("#EXT-X-BYTERANGE") } }
    }

    var isIFramesOnly: Bool
    var entries: [Entry] = []

    /// - Parameters:
    ///   - text: The playlist.
    ///   - base: What its URIs are relative to, with a slash at its end.
    init(_ text: String, base: String) {
        var scope: [String: String] = [:]
        var own: [String] = []
        var number: Int64 = 0
        var isMapEncrypted = false
        isIFramesOnly = false
        for line in text.split(separator: "\n").map(String.init) {
            let name = line.prefix { $0 != ":" }
            switch name {
            case "#EXT-X-I-FRAMES-ONLY": isIFramesOnly = true
            case "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-TARGETDURATION", "#EXT-X-VERSION", "#EXT-X-MEDIA-SEQUENCE":
                let isRelative = line.contains("URI=\"") && !line.contains("://")
                if name == "#EXT-X-MAP" {
                    isMapEncrypted = scope["#EXT-X-KEY"].map { !$0.contains("METHOD=NONE") } ?? false
                }
                if name == "#EXT-X-MEDIA-SEQUENCE" { number = Int64(line.dropFirst(name.count + 1)) ?? 0 }
                scope[String(name)] = isRelative ? line.replacing("URI=\"", with: "URI=\"\(base)") : line
            case "#EXTINF", "#EXT-X-BYTERANGE": own.append(line)
            case _ where name.hasPrefix("#") || line.isEmpty: break
            default:
                let first = own.first { $0.hasPrefix("#EXTINF") } ?? ""
                let duration = Double(first.dropFirst("#EXTINF:".count).prefix { $0 != "," }) ?? 0
                entries.append(
                    Entry(
                        duration: duration,
                        scope: scope,
                        own: own,
                        uri: base + line,
                        number: number,
                        isMapEncrypted: isMapEncrypted
                    )
                )
                own = []
                number += 1
            }
        }
    }

    /// Returns the pictures that each entry decodes to by itself, which ought to be one.
    func pictures(in directory: TemporaryDirectory, by generation: FFmpegGeneration = .five) async throws -> [[String]]
    {
        var pictures: [[String]] = []
        for entry in entries {
            if entry.method == "SAMPLE-AES-CTR" {
                let input = try await entry.encryptedFile(in: directory).input
                pictures.append(try await Frames.decoded(input, by: generation).map(\.checksum))
                continue
            }
            let clear = entry.method == "AES-128" ? try await entry.unsealed(in: directory) : entry
            // FFmpeg leaves the end of a transport stream encrypted: it gets the entry again and again.
            let isRepeated = entry.method == "SAMPLE-AES" && entry.scope["#EXT-X-MAP"] == nil
            let file = try directory.write(clear.text(times: isRepeated ? 5 : 1), to: "\(UUID().uuidString).m3u8")
            let frames = try await Frames.decoded(playlistOptions + [file], by: generation).map(\.checksum)
            // It is one picture if the second is the first again.
            pictures.append(isRepeated ? Array(Set(frames.prefix(2))) : frames)
        }
        return pictures
    }
}

extension IFramePlaylist.Entry {
    fileprivate var method: String? { attribute("METHOD", of: "#EXT-X-KEY") }

    /// A playlist of it alone, or of it several times.
    fileprivate func text(times: Int = 1) -> String {
        let entries = Array(repeating: own + [uri], count: times).flatMap { $0 }
        let lines = ["#EXTM3U"] + scope.values.sorted(by: Self.headersFirst) + entries + ["#EXT-X-ENDLIST"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A key is in front of the initialization section that may be encrypted with it.
    private static func headersFirst(_ left: String, _ right: String) -> Bool {
        func rank(_ line: String) -> Int { line.hasPrefix("#EXT-X-MAP") ? 2 : line.hasPrefix("#EXT-X-KEY") ? 1 : 0 }
        return (rank(left), left) < (rank(right), right)
    }

    private func attribute(_ name: String, of tag: String) -> String? {
        scope[tag]?.dropFirst(tag.count + 1).split(separator: ",")
            .first { $0.hasPrefix("\(name)=") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: ["\""]) }
    }

    private func key() async throws -> String {
        try await HTTP.body(attribute("URI", of: "#EXT-X-KEY") ?? "").hexadecimal
    }

    /// Its byte range behind its initialization section.
    fileprivate func encryptedFile(in directory: TemporaryDirectory) async throws -> EncryptedFile {
        var file = try await HTTP.body(attribute("URI", of: "#EXT-X-MAP") ?? "")
        let range = own.first { $0.hasPrefix("#EXT-X-BYTERANGE") } ?? ""
        let numbers = range.split { !$0.isNumber }.compactMap { Int($0) }
        try #require(numbers.count == 2, "\(range) is no byte range")
        let bytes = "bytes=\(numbers[1])-\(numbers[0] + numbers[1] - 1)"
        file += try await HTTP.get(uri, fields: ["Range": bytes]).body
        let path = try directory.write(file, to: "\(UUID().uuidString).mp4")
        return EncryptedFile(path: path, key: try await key(), keyID: "")
    }

    /// The same with files in the clear: the byte range is one of what a resource was before it was encrypted as a
    /// whole, which FFmpeg, other than RFC 8216bis § 4.4.4.2, takes literally.
    fileprivate func unsealed(in directory: TemporaryDirectory) async throws -> Self {
        let key = try await key()
        // Without the attribute it is the media sequence number (RFC 8216bis § 5.2).
        let iv = attribute("IV", of: "#EXT-X-KEY").map { String($0.dropFirst(2)) } ?? String(format: "%032llx", number)
        func unseal(_ uri: String) async throws -> String {
            let file = try directory.write(try await HTTP.body(uri), to: UUID().uuidString)
            // FFmpeg looks at the extension, too.
            let clear = "\(file).\(uri.split(separator: ".").last ?? "")"
            let cipher = ["enc", "-d", "-aes-128-cbc", "-K", key, "-iv", iv]
            try await Program.run("openssl", cipher + ["-in", file, "-out", clear])
            return clear
        }
        var clear = self
        clear.scope["#EXT-X-KEY"] = nil
        clear.uri = try await unseal(uri)
        if isMapEncrypted, let map = attribute("URI", of: "#EXT-X-MAP") {
            clear.scope["#EXT-X-MAP"] = "#EXT-X-MAP:URI=\"\(try await unseal(map))\""
        }
        return clear
    }
}
