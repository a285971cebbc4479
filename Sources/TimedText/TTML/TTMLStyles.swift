import XML

/// The styles of text in a TTML document, as WebVTT expresses them.
///
/// Styles and regions are looked into once each: one that refers to many, which refer to many, would take for ever.
struct TTMLStyles {
    /// The properties that elements within an element inherit.
    struct Look {
        var style = CueText.Style()
        var alignment: String?
        /// The placement of its region.
        var placement = Placement()
        /// True if blanks are kept, and a line feed is one (`xml:space`, TTML1 § 7.2.3).
        var keepsSpace = false

        /// WebVTT cue settings.
        var settings: String {
            let line = placement.isAtTop ? "line:0" : nil
            return [line, alignment.map { "align:\($0)" }].compactMap(\.self).joined(separator: " ")
        }
    }

    /// The place of a region, and of the text in it.
    struct Placement {
        /// The upper edge of the region, in per cent of the picture.
        var origin: Double?
        /// Its height, likewise.
        var extent: Double?
        /// The edge of the region that the text is at (`tts:displayAlign`, TTML1 § 8.2.7).
        var alignment: String?

        /// True if the text is in the upper half of the picture; if it is not known where its region is, the edge
        /// decides.
        var isAtTop: Bool {
            guard let origin, let extent else { return alignment == "before" }
            switch alignment {
            case "center": return origin + extent / 2 < 50
            case "after": return origin + extent < 50
            default: return origin < 50
            }
        }

        /// Adds a later placement, which prevails.
        mutating func add(_ later: Placement) {
            (origin, extent) = (later.origin ?? origin, later.extent ?? extent)
            alignment = later.alignment ?? alignment
        }
    }

    private var styles: [String: Change] = [:]
    private var regions: [String: Change] = [:]
    /// The most references from style to style in a row, far beyond any use.
    private static let deepest = 32

    /// - Parameter root: The `tt` that has the styles and regions.
    init(of root: Element) {
        guard let head = root.first("head") else { return }
        let all = head.all("style")
        var elements: [String: Element] = [:]
        for style in all { if let id = style.value("id") { elements[id] = style } }
        for style in all { if let id = style.value("id") { resolve(id, among: elements) } }
        for region in head.all("region") {
            guard let id = region.value("id") else { continue }
            var change = change(referredToBy: region)
            change.add(Change(region))
            for style in region.elements where style.name == "style" { change.add(Change(style)) }
            regions[id] = change
        }
    }

    /// Returns the look of an element within one that looks like `outer`.
    func look(of element: Element, within outer: Look) -> Look {
        var change = change(referredToBy: element)
        if let region = element.value("region").flatMap({ regions[$0] }) { change.add(region) }
        change.add(Change(element))
        var look = outer
        look.apply(change)
        return look
    }

    /// Resolves a style after the styles that it refers to.
    private mutating func resolve(_ id: String, among elements: [String: Element], depth: Int = 0) {
        guard styles[id] == nil, let element = elements[id] else { return }
        // A style in a circle, or too far behind others, has its own attributes alone.
        let own = Change(element)
        styles[id] = own
        guard depth < Self.deepest else { return }
        for reference in Self.references(of: element) { resolve(reference, among: elements, depth: depth + 1) }
        var change = change(referredToBy: element)
        change.add(own)
        styles[id] = change
    }

    private func change(referredToBy element: Element) -> Change {
        var change = Change()
        for reference in Self.references(of: element) { if let style = styles[reference] { change.add(style) } }
        return change
    }

    private static func references(of element: Element) -> [String] {
        element.value("style")?.split(separator: " ").map(String.init) ?? []
    }
}

/// The properties that a style, a region or an element sets (TTML1 § 8.2); nil are those that it leaves as they are.
private struct Change {
    var isItalic: Bool?
    var isBold: Bool?
    var isUnderlined: Bool?
    /// The colour; none is a colour, too.
    var color: String??
    /// The alignment, likewise.
    var alignment: String??
    var placement = TTMLStyles.Placement()
    var keepsSpace: Bool?

    init() {}

    /// Reads the attributes of an element; those without a counterpart in WebVTT are ignored.
    init(_ element: Element) {
        if let space = element.value("space") { keepsSpace = space == "preserve" }
        if let slant = element.value("fontStyle") { isItalic = slant != "normal" }
        if let weight = element.value("fontWeight") { isBold = weight == "bold" }
        if let decoration = element.value("textDecoration") { isUnderlined = decoration.contains("underline") }
        if let text = element.value("color") { color = .some(Self.name(of: text)) }
        if let text = element.value("textAlign") {
            alignment = .some(["left", "right", "start", "end"].contains(text) ? text : nil)
        }
        placement = TTMLStyles.Placement(
            origin: Self.percentage(element.value("origin")),
            extent: Self.percentage(element.value("extent")),
            alignment: element.value("displayAlign")
        )
    }

    /// Returns the second of two percentages, the vertical one; nil for another unit (TTML1 § 8.2.14).
    private static func percentage(_ text: String?) -> Double? {
        guard let parts = text?.split(separator: " "), parts.count == 2, parts[1].hasSuffix("%") else { return nil }
        return Double(parts[1].dropLast())
    }

    /// Adds a later change, which prevails.
    mutating func add(_ later: Change) {
        Self.take(later.isItalic, into: &isItalic)
        Self.take(later.isBold, into: &isBold)
        Self.take(later.isUnderlined, into: &isUnderlined)
        Self.take(later.color, into: &color)
        Self.take(later.alignment, into: &alignment)
        placement.add(later.placement)
        Self.take(later.keepsSpace, into: &keepsSpace)
    }

    private static func take<Value>(_ value: Value?, into place: inout Value?) {
        if let value { place = value }
    }

    /// Returns the name of a colour among WebVTT's eight, which teletext has too; nil for white, and for others.
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

extension TTMLStyles.Look {
    fileprivate mutating func apply(_ change: Change) {
        if let isItalic = change.isItalic { style.isItalic = isItalic }
        if let isBold = change.isBold { style.isBold = isBold }
        if let isUnderlined = change.isUnderlined { style.isUnderlined = isUnderlined }
        if let color = change.color { style.color = color }
        if let alignment = change.alignment { self.alignment = alignment }
        placement.add(change.placement)
        if let keepsSpace = change.keepsSpace { self.keepsSpace = keepsSpace }
    }
}
