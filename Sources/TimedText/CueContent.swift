/// The text of a cue and its settings, in the words of WebVTT.
package struct CueContent: Hashable, Sendable {
    /// WebVTT cue text (WebVTT § 4.2): lines with tags and character references; no line is empty or has an arrow.
    package let text: String
    /// WebVTT cue settings, such as `line:0 align:start`; empty for none.
    package let settings: String
    /// The REGION and STYLE blocks of its document that it may need.
    package let blocks: [String]

    /// The separator of blocks (WebVTT § 4.1), which none of them has.
    private static let separator = "\n\n"
    /// The most bytes of a cue.
    private static let longest = 1 << 16

    /// Fails if there is no text to show, if it contains an arrow (which would begin another cue), or if it is too
    /// long.
    ///
    /// - Parameters:
    ///   - text: WebVTT cue text; empty lines go, for they would end the cue.
    ///   - settings: WebVTT cue settings.
    ///   - blocks: REGION and STYLE blocks.
    package init?(text: String, settings: String = "", blocks: [String] = []) {
        let lines = text.webVTTLines.filter { $0.contains { $0 != " " && $0 != "\t" } }
        let text = lines.joined(separator: "\n")
        let settings = settings.split { $0.isWhitespace }.joined(separator: " ")
        guard !lines.isEmpty, text.utf8.count <= Self.longest, settings.utf8.count <= Self.longest,
            !text.hasArrow, !settings.hasArrow
        else { return nil }
        self.text = text
        self.settings = settings
        self.blocks = blocks
    }

    /// Makes a cue of `plain` text, in which nothing is a tag.
    package init?(plain: String) {
        self.init(text: plain.escapingMarkup)
    }

    /// The bytes that pass through the channel; equal contents have equal bytes.
    package var bytes: String { (blocks + ["\(settings)\n\(text)"]).joined(separator: Self.separator) }

    /// Bytes of its text, its settings and the blocks that it may need.
    package var byteCount: Int {
        blocks.reduce(text.utf8.count + settings.utf8.count) { $0 + $1.utf8.count }
    }

    /// Reads the bytes of another one; nil if they are not such bytes.
    ///
    /// - Parameter bytes: Those of another one.
    package init?(bytes: String) {
        var parts = bytes.split(separator: Self.separator).map(String.init)
        guard let cue = parts.popLast() else { return nil }
        let lines = cue.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 2 else { return nil }
        self.init(text: lines[1], settings: lines[0], blocks: parts)
    }
}

extension String {
    /// The lines of the text, with any terminator (WebVTT § 4.1).
    var webVTTLines: [String] {
        replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\0", with: "\u{FFFD}")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// True if a player may take it for the times of a cue.
    var hasArrow: Bool { utf8.contains("-->".utf8) }

    /// The text with references for the characters of tags and references, in WebVTT as in XML.
    var escapingMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
