import XML

/// The looks of the text of a TTML document, in the words of WebVTT.
struct TTMLLooks {
    /// The properties that elements within an element inherit.
    struct Look {
        var style = CueText.Style()
        var alignment: String?
        /// True if its region is at the top.
        var isAtTop = false
        /// True if blanks are kept, and a line feed is one (`xml:space`, TTML1 § 7.2.3).
        var keepsSpace = false

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

    /// Returns the look of an element within one that looks like `outer`.
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
}

extension TTMLLooks.Look {
    /// Takes the style attributes of an element (TTML1 § 8.2); what WebVTT has no word for is passed over.
    fileprivate mutating func apply(_ element: Element) {
        if let space = element.value("space") { keepsSpace = space == "preserve" }
        if let slant = element.value("fontStyle") { style.isItalic = slant != "normal" }
        if let weight = element.value("fontWeight") { style.isBold = weight == "bold" }
        if let decoration = element.value("textDecoration") { style.isUnderlined = decoration.contains("underline") }
        if let color = element.value("color") { style.color = Self.name(of: color) }
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
}
