import MediaCore
import XML

/// TTML as live encoders write it (the text profile of IMSC 1, EBU-TT-D): paragraphs with times, lines, and what of their
/// looks WebVTT has a word for.
extension TimedTextDocument {
    /// - Throws: ``TimedTextError`` where it is no TTML.
    init(ttml text: String) throws(TimedTextError) {
        self.init()
        let root = try Self.root(of: text)
        guard root.name == "tt" else { throw TimedTextError("it is no TTML: its root is \(root.name.prefix(40))") }
        guard root.value("timeBase") != "smpte" else {
            throw TimedTextError("its times are SMPTE time codes, which say nothing of when they are")
        }
        guard let body = root.first("body") else { return }
        let timing = TTMLTiming(of: root)
        let looks = TTMLLooks(of: root)
        read(body, Span(), TTMLLooks.Look(), timing, looks)
        cues.sort()
    }

    private static func root(of text: String) throws(TimedTextError) -> Element {
        do throws(XMLProblem) {
            // What may stand before it is a byte order mark, and nothing else that matters.
            return try Element(parsing: text.utf8.drop { $0 != UInt8(ascii: "<") })
        } catch {
            throw TimedTextError("\(error)")
        }
    }

    /// When an element is there; the end is nil while nothing says it.
    private struct Span {
        var start = MediaTime.zero
        var end: MediaTime?
    }

    private mutating func read(
        _ element: Element,
        _ outer: Span,
        _ look: TTMLLooks.Look,
        _ timing: TTMLTiming,
        _ looks: TTMLLooks
    ) {
        guard let span = span(of: element, in: outer, timing) else {
            return leaveOut("its times cannot be read: \(element.name)", line: element.line)
        }
        let look = looks.look(of: element, within: look)
        guard element.name == "p" else {
            for child in element.elements where ["div", "p"].contains(child.name) {
                read(child, span, look, timing, looks)
            }
            return
        }
        // Times may stand at spans, as those that come word by word have them.
        let timed = element.elements.filter { $0.value("begin") != nil }
        guard timed.isEmpty else {
            for child in timed { show(child, span, look, timing, looks) }
            return
        }
        show(element, at: span, look, looks)
    }

    private mutating func show(
        _ element: Element,
        _ outer: Span,
        _ look: TTMLLooks.Look,
        _ timing: TTMLTiming,
        _ looks: TTMLLooks
    ) {
        guard let span = span(of: element, in: outer, timing) else {
            return leaveOut("its times cannot be read: \(element.name)", line: element.line)
        }
        show(element, at: span, looks.look(of: element, within: look), looks)
    }

    private mutating func show(_ element: Element, at span: Span, _ look: TTMLLooks.Look, _ looks: TTMLLooks) {
        guard let end = span.end else { return leaveOut("nothing says when it ends", line: element.line) }
        guard end > span.start else { return leaveOut("it ends before it starts", line: element.line) }
        // A paragraph of nothing is a pause.
        guard let content = CueContent(text: looks.cueText(of: element, look), settings: look.settings) else { return }
        cues.append(TimedCue(start: span.start, end: end, content: content))
    }

    /// Nil where a time cannot be read; times are relative to what an element is in (TTML1 § 10.2).
    private func span(of element: Element, in outer: Span, _ timing: TTMLTiming) -> Span? {
        var times: [String: MediaTime] = [:]
        for name in ["begin", "end", "dur"] {
            guard let text = element.value(name) else { continue }
            guard let time = timing.time(text) else { return nil }
            times[name] = time
        }
        let start = outer.start + (times["begin"] ?? .zero)
        let ends = [times["end"].map { outer.start + $0 }, times["dur"].map { start + $0 }, outer.end]
        return Span(start: start, end: ends.compactMap(\.self).min())
    }
}
