import XML

/// How the text of a TTML document looks, in the words of WebVTT.
struct TTMLLooks {
    /// What elements within an element inherit.
    struct Look {
        var isItalic = false
        var isBold = false
        var isUnderlined = false
        var color: String?
        var alignment: String?
        /// Whether its region is at the top.
        var isAtTop = false

        /// WebVTT cue settings.
        var settings: String {
            [isAtTop ? "line:0" : nil, alignment.map { "align:\($0)" }].compactMap(\.self).joined(separator: " ")
        }
    }

    private var styles: [String: Element] = [:]
    private var regions: [String: Element] = [:]
    /// References from style to style beyond it are a circle.
    private static let deepest = 8

    /// - Parameter root: The `tt` that has the styles and regions.
    init(of root: Element) {
        guard let head = root.first("head") else { return }
        for style in head.all("style") { if let id = style.value("id") { styles[id] = style } }
        for region in head.all("region") { if let id = region.value("id") { regions[id] = region } }
    }

    /// How an element looks in one that looks like `outer`.
    func look(of element: Element, within outer: Look, depth: Int = 0) -> Look {
        var look = outer
        if depth < Self.deepest {
            for id in element.value("style")?.split(separator: " ") ?? [] {
                if let style = styles[String(id)] { look = self.look(of: style, within: look, depth: depth + 1) }
            }
            if let region = element.value("region").flatMap({ regions[$0] }) {
                look = self.look(of: region, within: look, depth: depth + 1)
                for style in region.elements where style.name == "style" { look.apply(style) }
            }
        }
        look.apply(element)
        return look
    }

    /// WebVTT cue text of an element.
    func cueText(of element: Element, _ look: Look) -> String {
        let keepsSpace = element.value("space") == "preserve"
        let lines = text(of: element, look).split(separator: "\u{2028}", omittingEmptySubsequences: true)
        return lines.map { line in
            keepsSpace
                ? String(line)
                : line.split { " \t\n".contains($0) || $0 == "\r" || $0 == "\r\n" }.joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// With a line separator for each `br`, since line feeds are but spaces.
    private func text(of element: Element, _ look: Look) -> String {
        let inner = element.nodes.map { node in
            switch node {
            case .text(let text): text.replacing("\u{2028}", with: " ").escapingMarkup
            case .element(let child) where child.name == "br": "\u{2028}"
            case .element(let child) where child.name == "span": text(of: child, self.look(of: child, within: look))
            case .element: ""
            }
        }.joined()
        // Inherited looks are told by the elements within, or by the paragraph where there are none.
        guard element.name == "span" || !element.elements.contains(where: { $0.name == "span" }),
            inner.contains(where: { !$0.isWhitespace })
        else { return inner }
        return inner.split(separator: "\u{2028}", omittingEmptySubsequences: false).map { look.marking(String($0)) }
            .joined(separator: "\u{2028}")
    }
}

extension TTMLLooks.Look {
    /// What TTML says of it (TTML1 § 8.2); what WebVTT has no word for is passed over.
    fileprivate mutating func apply(_ element: Element) {
        if let style = element.value("fontStyle") { isItalic = style != "normal" }
        if let weight = element.value("fontWeight") { isBold = weight == "bold" }
        if let decoration = element.value("textDecoration") { isUnderlined = decoration.contains("underline") }
        if let color = element.value("color") { self.color = Self.name(of: color) }
        if let alignment = element.value("textAlign") {
            self.alignment = ["left", "right", "start", "end"].contains(alignment) ? alignment : nil
        }
        if let place = element.value("displayAlign") { isAtTop = place == "before" }
    }

    /// One of WebVTT's eight, which are those of teletext too; nil for white, and for others.
    private static func name(of color: String) -> String? {
        let names = [
            "#00ff00": "lime", "#00ffff": "cyan", "#ff0000": "red", "#ffff00": "yellow", "#ff00ff": "magenta",
            "#0000ff": "blue", "#000000": "black",
        ]
        let color = color.lowercased()
        let name = names[String(color.prefix(7))] ?? color
        return name != "white" && CueText.colors.contains(name) ? name : nil
    }

    /// Text with the tags that make it look so.
    fileprivate func marking(_ text: String) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else { return text }
        let tags = [
            color.map { ("c.\($0)", "c") }, isItalic ? ("i", "i") : nil, isBold ? ("b", "b") : nil,
            isUnderlined ? ("u", "u") : nil,
        ]
        return tags.compactMap(\.self).reduce(text) { "<\($1.0)>\($0)</\($1.1)>" }
    }
}
