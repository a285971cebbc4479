/// Turns the Markdown of the guide into HTML: headings, paragraphs, lists, tables and code.
///
/// Pictures are left out.
struct GuideMarkup {
    let spans: GuideSpans

    func html(_ text: String) -> String {
        blocks(text.split(separator: "\n", omittingEmptySubsequences: false))
    }

    /// The beginning of an item of a list.
    private struct Marker {
        var isOrdered: Bool
        /// The characters before the item's text, by which its other lines are indented.
        var width: Int

        init?(_ line: Substring) {
            if line.hasPrefix("- ") {
                (isOrdered, width) = (false, 2)
                return
            }
            let digits = line.prefix { "0123456789".contains($0) }
            guard !digits.isEmpty, line.dropFirst(digits.count).hasPrefix(". ") else { return nil }
            (isOrdered, width) = (true, digits.count + 2)
        }
    }

    private static let fence = "```"
    private static let indent = "    "

    private func blocks(_ lines: [Substring]) -> String {
        var rest = lines[...]
        var html = ""
        while let line = rest.first {
            if Self.isBlank(line) {
                rest.removeFirst()
            } else if line.hasPrefix(Self.fence) {
                html += fenced(&rest)
            } else if line.hasPrefix(Self.indent) {
                html += indented(&rest)
            } else if let heading = heading(line) {
                html += heading
                rest.removeFirst()
            } else if line.hasPrefix("|") {
                html += table(&rest)
            } else if let marker = Marker(line) {
                html += list(&rest, marker)
            } else {
                html += paragraph(&rest)
            }
        }
        return html
    }

    private static func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return text
    }

    // MARK: Code

    private func fenced(_ rest: inout ArraySlice<Substring>) -> String {
        rest.removeFirst()
        let code = rest.prefix { !$0.hasPrefix(Self.fence) }
        rest = rest.dropFirst(code.count + 1)
        return Self.preformatted(Array(code))
    }

    private func indented(_ rest: inout ArraySlice<Substring>) -> String {
        var code = Array(rest.prefix { Self.isBlank($0) || $0.hasPrefix(Self.indent) })
        rest = rest.dropFirst(code.count)
        while let last = code.last, Self.isBlank(last) { code.removeLast() }
        return Self.preformatted(code.map { $0.dropFirst(Self.indent.count) })
    }

    private static func preformatted(_ lines: [Substring]) -> String {
        "<pre><code>\(GuideSpans.escaped(lines.joined(separator: "\n")))</code></pre>\n"
    }

    // MARK: Headings and paragraphs

    /// Returns a heading with the anchor that links have for it; nil if a line is none.
    private func heading(_ line: Substring) -> String? {
        let level = line.prefix { $0 == "#" }.count
        let text = line.dropFirst(level)
        guard (1...6).contains(level), text.first == " " else { return nil }
        let words = Self.trimmed(text)
        return "<h\(level) id=\"\(Self.anchor(words))\">\(spans.html(words))</h\(level)>\n"
    }

    /// Returns the anchor of a heading: letters in lower case, digits, `-` and `_`, and a hyphen for each space.
    private static func anchor(_ heading: Substring) -> String {
        let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        return String(kept.map { $0 == " " ? "-" : $0 })
    }

    private func paragraph(_ rest: inout ArraySlice<Substring>) -> String {
        var lines = [Self.trimmed(rest.removeFirst())]
        while let line = rest.first, !Self.isBlank(line), !beginsBlock(line) {
            lines.append(Self.trimmed(line))
            rest.removeFirst()
        }
        if lines[0].hasPrefix("![") { return "" }
        return "<p>\(spans.html(Substring(lines.joined(separator: " "))))</p>\n"
    }

    /// Returns true if a line ends the paragraph before it.
    private func beginsBlock(_ line: Substring) -> Bool {
        line.hasPrefix(Self.fence) || line.hasPrefix("|") || line.hasPrefix("- ") || line.hasPrefix("1. ")
            || heading(line) != nil
    }

    // MARK: Lists

    private func list(_ rest: inout ArraySlice<Substring>, _ first: Marker) -> String {
        var items = ""
        while let line = rest.first, let marker = Marker(line), marker.isOrdered == first.isOrdered {
            rest.removeFirst()
            let indent = String(repeating: " ", count: marker.width)
            let others = rest.prefix { Self.isBlank($0) || $0.hasPrefix(indent) }
            rest = rest.dropFirst(others.count)
            items += "<li>\(item([line.dropFirst(marker.width)] + others.map { $0.dropFirst(marker.width) }))</li>\n"
        }
        let tag = first.isOrdered ? "ol" : "ul"
        return "<\(tag)>\n\(items)</\(tag)>\n"
    }

    /// Returns an item, which needs no paragraph if it has only one.
    private func item(_ lines: [Substring]) -> String {
        let html = blocks(lines)
        let (start, end) = ("<p>", "</p>\n")
        guard html.hasPrefix(start), html.hasSuffix(end) else { return html }
        let inner = html.dropFirst(start.count).dropLast(end.count)
        return inner.contains(start) ? html : String(inner)
    }

    // MARK: Tables

    private func table(_ rest: inout ArraySlice<Substring>) -> String {
        let rows = rest.prefix { $0.hasPrefix("|") }
        rest = rest.dropFirst(rows.count)
        let cells = rows.map { Self.cells(Self.trimmed($0)) }
        // The second row only separates the head from the body.
        let head = row(cells[0], "th")
        let body = cells.dropFirst(2).map { row($0, "td") }.joined()
        return "<div class=\"scroll\"><table>\n<thead>\(head)</thead>\n<tbody>\n\(body)</tbody></table></div>\n"
    }

    private func row(_ cells: [String], _ tag: String) -> String {
        let cells = cells.map { "<\(tag)>\(spans.html(Self.trimmed(Substring($0))))</\(tag)>" }
        return "<tr>\(cells.joined())</tr>\n"
    }

    /// Returns the cells of a row: a bar ends each, unless a backslash stands before it.
    private static func cells(_ row: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        for character in row.dropFirst() {
            if character != "|" {
                cell.append(character)
            } else if cell.last == "\\" {
                cell.removeLast()
                cell.append(character)
            } else {
                cells.append(cell)
                cell = ""
            }
        }
        return cells
    }
}
