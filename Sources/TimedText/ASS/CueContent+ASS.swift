/// Text as libavcodec's decoders of subtitles hand it over: that of events of Advanced SubStation Alpha.
extension CueContent {
    /// Texts of several events that are shown together, one below the other.
    ///
    /// Fails if there is no text to show. Markup that WebVTT cannot express is skipped.
    ///
    /// - Parameters:
    ///   - texts: Each with its override tags.
    ///   - isPage: True if there is a line for each row of the screen, with all of its spaces, as of teletext.
    package init?(assTexts texts: [some StringProtocol], isPage: Bool = false) {
        let reader = ASSTextReader(texts)
        self.init(text: reader.cueText, settings: isPage ? reader.pageSettings : reader.settings)
    }
}

/// Turns text with override tags into WebVTT cue text.
private struct ASSTextReader {
    private var text = CueText()
    private var style = CueText.Style()
    /// The place as on a keypad: 1 is at the bottom left, 9 at the top right.
    private var alignment = 2

    var cueText: String { text.markup }

    /// Rows of a page below its header.
    private static let rowCount = 24

    /// The line of the first row that has text, unless it is in the lowest third, where players show it anyway.
    var pageSettings: String {
        // If rows without text were left out, only the third of the screen that the decoder chose is known.
        guard text.lines.count >= Self.rowCount else { return line ?? "" }
        guard let top = text.lines.firstIndex(where: { !$0.isEmpty }), top * 3 < Self.rowCount * 2 else { return "" }
        return "line:\(10 + top * 80 / Self.rowCount)%"
    }

    private var line: String? {
        switch alignment {
        case 7...9: "line:0"
        case 4...6: "line:50%"
        default: nil
        }
    }

    var settings: String {
        let align: String? =
            switch alignment % 3 {
            case 1: "align:start"
            case 0: "align:end"
            default: nil
            }
        return [line, align].compactMap(\.self).joined(separator: " ")
    }

    /// - Parameter events: The events, one below the other.
    init(_ events: [some StringProtocol]) {
        for (place, event) in events.enumerated() {
            if place > 0 { text.breakLine() }
            read(event)
        }
    }

    private mutating func read(_ event: some StringProtocol) {
        style = CueText.Style()
        var rest = Substring(event).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "{":
                let tags = rest.prefix { $0 != "}" }
                rest = rest.dropFirst(tags.count + 1)
                for tag in Substring(tags).split(separator: "\\") { apply(tag) }
            case "\\":
                switch rest.popFirst() {
                case "N": text.breakLine()
                case "n", "h": append(" ")
                // libavcodec escapes these in texts that have no ASS of their own.
                case let other? where ["{", "}", "\\"].contains(other): append(other)
                case let other?:
                    append("\\")
                    append(other)
                case nil: append("\\")
                }
            case "\n": text.breakLine()
            default: append(scalar)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) { text.append(collapsing: String(scalar), style) }

    private mutating func apply(_ tag: Substring) {
        switch tag {
        case "i1": style.isItalic = true
        case "i0": style.isItalic = false
        case "b0": style.isBold = false
        case "u1": style.isUnderlined = true
        case "u0": style.isUnderlined = false
        case "r": style = CueText.Style()
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

    /// The nearest of WebVTT's eight, which are those of teletext; nil for white, and for black, which would be unreadable.
    private static func color(_ tag: Substring) -> String? {
        let digits = tag.drop { $0 != "H" }.dropFirst().prefix { $0.isHexDigit }
        guard let value = UInt32(digits, radix: 16) else { return nil }
        // Blue, green, red.
        return CueText.color(red: value & 0x80 != 0, green: value & 0x8000 != 0, blue: value & 0x80_0000 != 0)
    }
}
