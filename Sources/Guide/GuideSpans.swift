/// Turns the text of a paragraph, a cell or a heading in Markdown into HTML: code, links and emphasis.
struct GuideSpans {
    /// Finds the address that the target of a link is served at; nil if it is not served, and the link's text stands alone.
    let address: (Substring) -> String?

    func html(_ text: Substring) -> String {
        var rest = text
        var html = ""
        while let character = rest.first {
            if let span = code(&rest) ?? link(&rest) ?? emphasis(&rest) {
                html += span
                continue
            }
            rest.removeFirst()
            if character == "\\", let next = rest.first, next.isPunctuation || next.isSymbol {
                rest.removeFirst()
                html += Self.escaped(String(next))
            } else {
                html += Self.escaped(String(character))
            }
        }
        return html
    }

    /// Takes code between backticks from the beginning of a text.
    private func code(_ rest: inout Substring) -> String? {
        let ticks = rest.prefix { $0 == "`" }
        guard !ticks.isEmpty else { return nil }
        let body = rest.dropFirst(ticks.count)
        guard let end = body.firstRange(of: ticks) else { return nil }
        rest = body[end.upperBound...]
        return "<code>\(Self.escaped(body[..<end.lowerBound]))</code>"
    }

    /// Takes `[text](target)` from the beginning of a text.
    private func link(_ rest: inout Substring) -> String? {
        guard rest.first == "[", let middle = rest.firstRange(of: "]("),
            let end = rest[middle.upperBound...].firstIndex(of: ")")
        else { return nil }
        let text = rest[..<middle.lowerBound].dropFirst()
        // If the text contains another bracket, this one does not begin a link.
        guard !text.contains("[") else { return nil }
        let target = rest[middle.upperBound..<end]
        rest = rest[end...].dropFirst()
        let inner = html(text)
        guard let address = address(target) else { return inner }
        return "<a href=\"\(Self.escaped(address))\">\(inner)</a>"
    }

    /// Takes `**strong**` or `*emphasized*` text from the beginning of a text.
    private func emphasis(_ rest: inout Substring) -> String? {
        for (mark, tag) in [("**", "strong"), ("*", "em")] where rest.hasPrefix(mark) {
            let body = rest.dropFirst(mark.count)
            guard let first = body.first, !first.isWhitespace, let end = body.firstRange(of: mark),
                end.lowerBound > body.startIndex
            else { continue }
            rest = body[end.upperBound...]
            return "<\(tag)>\(html(body[..<end.lowerBound]))</\(tag)>"
        }
        return nil
    }

    /// Returns a text as it stands in HTML, also between quotation marks.
    static func escaped(_ text: some StringProtocol) -> String {
        var html = ""
        for character in text {
            switch character {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            default: html.append(character)
            }
        }
        return html
    }
}
