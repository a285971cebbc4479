import Foundation
import Playlists
import TestSupport

/// A stream as ffprobe sees it.
struct ProbedStream: Decodable, Sendable {
    var codecType: String
    var codecName: String
    var codecTagString: String
    var profile: String?
    var level: Int?
    var width: Int?
    var height: Int?
    var channels: Int?
    var pixelFormat: String?
    var colorTransfer: String?

    private enum CodingKeys: String, CodingKey {
        case codecType = "codec_type"
        case codecName = "codec_name"
        case codecTagString = "codec_tag_string"
        case pixelFormat = "pix_fmt"
        case colorTransfer = "color_transfer"
        case profile, level, width, height, channels
    }

    private struct Answer: Decodable {
        var streams: [ProbedStream]
    }

    /// Probes a playlist or file.
    static func streams(of input: [String], by generation: FFmpegGeneration = .eight) async throws -> [ProbedStream] {
        let text = try await Program.run(
            generation.ffprobe,
            ["-v", "error", "-show_streams", "-of", "json"] + input
        )
        return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).streams
    }

    /// VIDEO-RANGE of its transfer characteristics (RFC 8216bis § 4.4.6.2).
    var videoRange: String {
        switch colorTransfer {
        case "smpte2084": "PQ"
        case "arib-std-b67": "HLG"
        default: "SDR"
        }
    }

    /// Returns the contradictions to an element of CODECS.
    ///
    /// - Parameters:
    ///   - name: The element.
    ///   - isFile: Whether it comes from a file with sample entries.
    /// - Returns: Each contradiction.
    func contradictions(to name: String, isFile: Bool) -> [String] {
        guard let said = CodecName(name) else { return ["\(name) is no codec"] }
        var found: [String] = []
        func compare<Value: Equatable>(_ what: String, _ said: Value?, _ seen: Value?) {
            if let said, said != seen { found.append("\(name): \(what) is \(seen.map { "\($0)" } ?? "not told")") }
        }
        compare("codec", said.codec, codecName)
        if isFile { compare("sample entry", said.sampleEntry.lowercased(), codecTagString.lowercased()) }
        compare("profile", said.profile, profile)
        compare("level", said.level, level)
        compare("bit depth", said.bitDepth, pixelFormat.map { $0.contains("10") ? 10 : 8 })
        return found
    }
}
