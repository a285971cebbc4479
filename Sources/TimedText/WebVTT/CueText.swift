/// WebVTT cue text as runs of characters that look alike (WebVTT § 6.4).
struct CueText: Hashable, Sendable {
    struct Run: Hashable, Sendable {
        var text: String
        var style = Style()
    }

    struct Style: Hashable, Sendable {
        var isItalic = false
        var isBold = false
        var isUnderlined = false
        /// The name of the color, among ``CueText/colors``.
        var color: String?
    }

    /// Classes that colour text without a style sheet (WebVTT § 5.1), by name.
    static let colors: Set<String> = ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"]
    /// Deeper than any text.
    private static let deepest = 32

    /// Lines of runs.
    private(set) var lines: [[Run]] = [[]]
    /// The style of a blank that is written once text follows it in its line.
    private var blank: Style?

    init() {}

    var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

    /// Reads WebVTT cue text; characters that cannot be a tag or a reference are text.
    init(parsing text: String) {
        var open: [(tag: Substring, style: Style)] = []
        var rest = text[...]
        while let next = rest.first {
            let style = open.last?.style ?? Style()
            switch next {
            case "\n":
                breakLine()
                rest.removeFirst()
            case "<":
                let tag = rest.dropFirst().prefix { $0 != ">" }
                rest = rest.dropFirst(tag.count + 2)
                if tag.first == "/" {
                    if let last = open.lastIndex(where: { $0.tag == tag.dropFirst() }) { open.removeSubrange(last...) }
                } else if let name = tag.split(whereSeparator: { " \t\n.".contains($0) }).first,
                    open.count < Self.deepest,
                    !name.contains(":")
                {
                    open.append((name, style.applying(name, tag)))
                }
            case "&":
                append(Self.character(takenFrom: &rest), style)
            default:
                let plain = rest.prefix { !"\n<&".contains($0) }
                append(String(plain), style)
                rest = rest.dropFirst(plain.count)
            }
        }
    }

    mutating func breakLine() {
        lines.append([])
        blank = nil
    }

    mutating func append(_ text: String, _ style: Style) {
        let line = lines.count - 1
        if let last = lines[line].indices.last, lines[line][last].style == style {
            lines[line][last].text += text
        } else {
            lines[line].append(Run(text: text, style: style))
        }
    }

    /// Appends text with one space for each run of blanks, and none at either end of a line.
    mutating func append(collapsing text: String, _ style: Style) {
        for scalar in text.unicodeScalars {
            if " \t\n\r".unicodeScalars.contains(scalar) {
                if lines.last?.isEmpty == false { blank = blank ?? style }
            } else {
                if let blank { append(" ", blank) }
                blank = nil
                append(String(scalar), style)
            }
        }
    }

    private static func character(takenFrom rest: inout Substring) -> String {
        let name = rest.dropFirst().prefix(12).prefix { $0 != ";" }
        let isEnded = rest.dropFirst(name.count + 1).first == ";"
        let known = ["amp": "&", "lt": "<", "gt": ">", "nbsp": "\u{A0}", "lrm": "\u{200E}", "rlm": "\u{200F}"]
        var found = known[String(name)]
        if name.hasPrefix("#x") || name.hasPrefix("#X") {
            found = UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map(String.init)
        } else if name.hasPrefix("#") {
            found = UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init).map(String.init)
        }
        guard isEnded, let found else {
            rest.removeFirst()
            return "&"
        }
        rest = rest.dropFirst(name.count + 2)
        return found
    }
}

extension CueText.Style {
    /// The style within a tag such as `c.yellow`.
    fileprivate func applying(_ name: Substring, _ tag: Substring) -> Self {
        var style = self
        switch name {
        case "i": style.isItalic = true
        case "b": style.isBold = true
        case "u": style.isUnderlined = true
        default: break
        }
        let classes = tag.prefix { !" \t\n".contains($0) }.split(separator: ".").dropFirst().map(String.init)
        style.color = classes.last(where: CueText.colors.contains) ?? style.color
        return style
    }
}
