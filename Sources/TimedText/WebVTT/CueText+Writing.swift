/// Runs as WebVTT cue text has them (WebVTT § 4.2.2).
extension CueText {
    /// The lines of the cue with tags and references.
    var markup: String {
        lines.map { $0.map { $0.style.marking($0.text.escapingMarkup) }.joined() }.joined(separator: "\n")
    }

    /// The nearest of the eight colours, which are those of teletext and captions too; nil for white, which is what
    /// text has without a colour, and for black, which would be unreadable.
    ///
    /// - Parameters: True if there is much of each.
    static func color(red: Bool, green: Bool, blue: Bool) -> String? {
        switch (red, green, blue) {
        case (true, false, false): "red"
        case (false, true, false): "lime"
        case (false, false, true): "blue"
        case (true, true, false): "yellow"
        case (true, false, true): "magenta"
        case (false, true, true): "cyan"
        case (true, true, true), (false, false, false): nil
        }
    }
}

extension CueText.Style {
    /// Text with the tags that make it look so; blanks need none.
    fileprivate func marking(_ text: String) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else { return text }
        let tags = [
            color.map { ("c.\($0)", "c") }, isItalic ? ("i", "i") : nil, isBold ? ("b", "b") : nil,
            isUnderlined ? ("u", "u") : nil,
        ]
        return tags.compactMap(\.self).reduce(text) { "<\($1.0)>\($0)</\($1.1)>" }
    }
}
