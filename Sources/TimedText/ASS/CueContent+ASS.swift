/// Text as libavcodec's decoders of subtitles hand it over: that of events of Advanced SubStation Alpha.
extension CueContent {
    /// Texts of several events that are shown together, one below the other.
    ///
    /// Nil where there is nothing to be shown; what WebVTT has no word for is passed over.
    ///
    /// - Parameters:
    ///   - texts: Each with its override tags.
    ///   - isPage: Whether there is a line for each row of the screen, with all of its spaces, as of teletext.
    package init?(assTexts texts: [some StringProtocol], isPage: Bool = false) {
        var reader = ASSTextReader()
        for text in texts { reader.read(text) }
        self.init(text: reader.cueText, settings: isPage ? reader.pageSettings : reader.settings)
    }
}

/// Turns text with override tags into WebVTT cue text.
private struct ASSTextReader {
    private struct Style: Hashable {
        var isItalic = false
        var isBold = false
        var isUnderlined = false
        var color: String?

        var tags: [(open: String, close: String)] {
            let color = color.map { (open: "<c.\($0)>", close: "</c>") }
            return [
                color, isItalic ? ("<i>", "</i>") : nil, isBold ? ("<b>", "</b>") : nil,
                isUnderlined ? ("<u>", "</u>") : nil,
            ].compactMap(\.self)
        }
    }

    /// Lines of runs that look alike.
    private var lines: [[(text: String, style: Style)]] = []
    private var style = Style()
    /// As on a keypad: 1 is at the bottom left, 9 at the top right.
    private var alignment = 2

    var cueText: String {
        let texts = lines.map { line in
            line.map { run in
                guard run.text.contains(where: { !$0.isBlank }) else { return run.text }
                let tags = run.style.tags
                let end = run.text.reversed().prefix { $0.isBlank }.count
                let start = run.text.prefix { $0.isBlank }
                let middle = run.text.dropFirst(start.count).dropLast(end)
                return start + tags.map(\.open).joined() + middle + tags.reversed().map(\.close).joined()
                    + run.text.suffix(end)
            }.joined().trimmingBlanks
        }
        return texts.joined(separator: "\n")
    }

    /// Where the first row is that has text, unless it is in the lowest third, where players show it anyway.
    var pageSettings: String {
        let rows = lines.indices.filter { lines[$0].contains { $0.text.contains { !$0.isBlank } } }
        guard let top = rows.first, top * 3 < lines.count * 2 else { return "" }
        return "line:\(10 + top * 80 / lines.count)%"
    }

    var settings: String {
        let line: String? =
            switch alignment {
            case 7...9: "line:0"
            case 4...6: "line:50%"
            default: nil
            }
        let align: String? =
            switch alignment % 3 {
            case 1: "align:start"
            case 0: "align:end"
            default: nil
            }
        return [line, align].compactMap(\.self).joined(separator: " ")
    }

    mutating func read(_ text: some StringProtocol) {
        style = Style()
        lines.append([])
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "{":
                let tags = rest.prefix { $0 != "}" }
                rest = rest.dropFirst(tags.count + 1)
                for tag in Substring(tags).split(separator: "\\") { apply(tag) }
            case "\\":
                switch rest.popFirst() {
                case "N": lines.append([])
                case "n": append(" ")
                case "h": append("\u{A0}")
                case let other?:
                    append("\\")
                    append(other)
                case nil: append("\\")
                }
            case "\n": lines.append([])
            case "\r": break
            default: append(scalar)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        let text = String(scalar).escapingMarkup
        let line = lines.count - 1
        if let last = lines[line].indices.last, lines[line][last].style == style {
            lines[line][last].text += text
        } else {
            lines[line].append((text, style))
        }
    }

    private mutating func apply(_ tag: Substring) {
        switch tag {
        case "i1": style.isItalic = true
        case "i0": style.isItalic = false
        case "b0": style.isBold = false
        case "u1": style.isUnderlined = true
        case "u0": style.isUnderlined = false
        case "r": style = Style()
        default:
            if tag.hasPrefix("an"), let place = Int(tag.dropFirst(2)), 1...9 ~= place {
                alignment = place
            } else if tag.hasPrefix("c&") || tag.hasPrefix("1c&") {
                style.color = Self.color(tag)
            } else if tag.hasPrefix("b"), let weight = Int(tag.dropFirst()) {
                style.isBold = weight == 1 || weight >= 600
            }
        }
    }

    /// The nearest of WebVTT's eight, which are those of teletext; nil for white, and for black, which nobody could read.
    private static func color(_ tag: Substring) -> String? {
        let digits = tag.drop { $0 != "H" }.dropFirst().prefix { $0.isHexDigit }
        guard let value = UInt32(digits, radix: 16) else { return nil }
        // Blue, green, red.
        let isStrong = [value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF].map { $0 >= 0x80 }
        switch (isStrong[0], isStrong[1], isStrong[2]) {
        case (true, false, false): return "red"
        case (false, true, false): return "lime"
        case (false, false, true): return "blue"
        case (true, true, false): return "yellow"
        case (true, false, true): return "magenta"
        case (false, true, true): return "cyan"
        case (true, true, true), (false, false, false): return nil
        }
    }
}

extension Character {
    fileprivate var isBlank: Bool { isWhitespace || self == "\u{A0}" }
}

extension String {
    /// Without blanks at both ends, and with one space for a run of them.
    fileprivate var trimmingBlanks: String { split(whereSeparator: \.isBlank).joined(separator: " ") }
}
