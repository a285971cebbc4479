/// A document of IMSC 1's text profile, as one sample has it.
package struct IMSC1Document: Hashable, Sendable {
    /// BCP 47; empty if that is not known, as TTML wants it.
    package var language: String
    /// The cues in order, on the media timeline of the track (ISO/IEC 14496-30 § 5.3), none before its zero.
    package var cues: [TimedCue]

    package init(language: String?, cues: [TimedCue]) {
        self.language = language ?? ""
        self.cues = cues
    }

    /// The document: each has all styles and regions itself, for none may need another one.
    package func render() -> String {
        let paragraphs = cues.map { cue in
            let region = cue.content.isAtTop ? "top" : "bottom"
            let times = "begin=\"\(WebVTTTimestamp.text(cue.start))\" end=\"\(WebVTTTimestamp.text(cue.end))\""
            return "<p region=\"\(region)\"\(cue.content.alignment) \(times)>\(Self.text(of: cue.content))</p>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" \
            xmlns:ttp="http://www.w3.org/ns/ttml#parameter" \
            ttp:profile="http://www.w3.org/ns/ttml/profile/imsc1/text" ttp:timeBase="media" \
            xml:lang="\(language.escapingMarkup.replacing("\"", with: "&quot;"))">
            <head><styling><style xml:id="text" tts:color="white" tts:backgroundColor="black" \
            tts:fontFamily="proportionalSansSerif" tts:fontSize="100%" tts:lineHeight="125%" tts:textAlign="center"/>\
            </styling><layout><region xml:id="bottom" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="after"/>\
            <region xml:id="top" tts:origin="10% 10%" tts:extent="80% 80%" tts:displayAlign="before"/></layout></head>
            <body style="text"><div>
            \(paragraphs.joined())</div></body></tt>

            """
    }

    private static func text(of content: CueContent) -> String {
        CueText(parsing: content.text).lines.map { line in
            line.map { run in
                let text = run.text.escapingMarkup.filter(\.isAllowedInXML)
                let attributes = run.style.attributes
                return "<span\(attributes)>\(text)</span>"
            }.joined()
        }.joined(separator: "<br/>")
    }
}

extension CueText.Style {
    /// The attributes in TTML, each behind a space.
    fileprivate var attributes: String {
        let known = [
            color.map { "tts:color=\"\($0)\"" }, isItalic ? "tts:fontStyle=\"italic\"" : nil,
            isBold ? "tts:fontWeight=\"bold\"" : nil, isUnderlined ? "tts:textDecoration=\"underline\"" : nil,
        ]
        return known.compactMap { $0.map { " \($0)" } }.joined()
    }
}

extension CueContent {
    private func setting(_ name: String) -> Substring? {
        settings.split(separator: " ").last { $0.hasPrefix("\(name):") }?.dropFirst(name.count + 1)
    }

    /// True if it is shown in the upper half: at a line from above, or at less than half of the height (WebVTT § 6.3).
    fileprivate var isAtTop: Bool {
        guard let line = setting("line")?.prefix(while: { $0 != "," }) else { return false }
        if line.last == "%" { return Double(line.dropLast()).map { $0 < 50 } ?? false }
        return Int(line).map { (0..<8).contains($0) } ?? false
    }

    /// The attribute in TTML, behind a space; empty if it is centred, which all text is.
    fileprivate var alignment: String {
        guard let alignment = setting("align"), ["start", "end", "left", "right"].contains(alignment) else { return "" }
        return " tts:textAlign=\"\(alignment)\""
    }
}

extension Character {
    /// XML 1.0 § 2.2.
    fileprivate var isAllowedInXML: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
            default: false
            }
        }
    }
}
