import MediaCore

/// The reading of WebVTT (W3C WebVTT § 6.1): malformed parts are left out.
extension TimedTextDocument {
    /// Bytes; each segment that has a cue has them.
    private static let longestDefinitions = 1 << 14

    /// - Parameters:
    ///   - text: The document.
    ///   - isGrowing: True if its last block may be there in part only, and is left for later where no empty line ends
    ///     it.
    /// - Throws: ``TimedTextError`` if it does not begin as WebVTT does.
    init(webVTT text: String, isGrowing: Bool) throws(TimedTextError) {
        self.init()
        var lines = text.webVTTLines
        if lines[0].first == "\u{FEFF}" { lines[0].removeFirst() }
        let afterSignature = lines[0].dropFirst(6).first
        guard lines[0].hasPrefix("WEBVTT"), afterSignature.map({ $0 == " " || $0 == "\t" }) ?? true else {
            throw TimedTextError("it does not begin with WEBVTT, and is no TTML")
        }
        var definitions: [String] = []
        var index = lines.firstIndex { $0.isEmpty || $0.hasArrow } ?? lines.endIndex
        while index < lines.endIndex {
            if lines[index].isEmpty {
                index += 1
                continue
            }
            let begin = index
            // An arrow begins a cue, with at most an identifier before it (§ 6.2).
            var hasArrow = false
            while index < lines.endIndex, !lines[index].isEmpty {
                if lines[index].hasArrow {
                    if hasArrow || index > begin + 1 { break }
                    hasArrow = true
                }
                index += 1
            }
            // The piece behind the last line break is no empty line.
            let isLast = index == lines.endIndex || (index + 1 == lines.endIndex && lines[index].isEmpty)
            if isGrowing, isLast { return }
            read(block: lines[begin..<index], hasArrow: hasArrow, &definitions)
        }
    }

    private mutating func read(block: ArraySlice<String>, hasArrow: Bool, _ definitions: inout [String]) {
        guard let first = block.first else { return }
        guard hasArrow else {
            let keyword = first.prefix { $0 != " " && $0 != "\t" }
            switch keyword {
            case "NOTE": break
            case "STYLE", "REGION":
                let definition = block.joined(separator: "\n")
                let length = definitions.reduce(definition.utf8.count) { $0 + $1.utf8.count }
                guard cues.isEmpty, length <= Self.longestDefinitions else {
                    leaveOut(
                        "a definition stands behind the first cue, or is too long (§ 4.1)",
                        line: block.startIndex + 1
                    )
                    return
                }
                definitions.append(definition)
            default: leaveOut("\"\(first.prefix(40))\" begins nothing that WebVTT has", line: block.startIndex + 1)
            }
            return
        }
        let timing = first.hasArrow ? block.startIndex : block.startIndex + 1
        let parts = block[timing].split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.last?.split(maxSplits: 1) { $0 == " " || $0 == "\t" } ?? []
        let before = parts.first?.split { $0 == " " || $0 == "\t" } ?? []
        guard parts.count == 2, before.count == 1, let start = WebVTTTimestamp.time(before[0]),
            let second = words.first,
            let end = WebVTTTimestamp.time(second)
        else { return leaveOut("the times of a cue cannot be read", line: timing + 1) }
        guard end > start else { return leaveOut("a cue ends before it starts", line: timing + 1) }
        let text = block[(timing + 1)...].joined(separator: "\n")
        let settings = words.count > 1 ? String(words[1]) : ""
        guard let content = CueContent(text: text, settings: settings, blocks: definitions) else {
            return leaveOut("a cue has no text, or too much", line: timing + 1)
        }
        cues.append(TimedCue(start: start, end: end, content: content))
    }
}
