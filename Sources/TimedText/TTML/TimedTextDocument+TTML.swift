import MediaCore
import XML

/// TTML of live encoders (the text profile of IMSC 1, EBU-TT-D): paragraphs with times, lines, and the styles
/// that WebVTT has as well.
extension TimedTextDocument {
    /// - Throws: ``TimedTextError`` if it is no TTML.
    init(ttml text: String) throws(TimedTextError) {
        self.init()
        let root = try Self.root(of: text)
        guard root.name == "tt" else { throw TimedTextError("it is no TTML: its root is \(root.name.prefix(40))") }
        guard root.value("timeBase") != "smpte" else {
            throw TimedTextError("its times are SMPTE time codes, which say nothing of when they are")
        }
        guard let body = root.first("body") else { return }
        let timing = TTMLTiming(of: root)
        let looks = TTMLStyles(of: root)
        read(body, TTMLTiming.Span(), looks.look(of: root, within: TTMLStyles.Look()), timing, looks)
        cues.sort()
    }

    private static func root(of text: String) throws(TimedTextError) -> Element {
        do throws(XMLProblem) {
            // Only a byte order mark may precede it.
            return try Element(parsing: text.utf8.drop { $0 != UInt8(ascii: "<") })
        } catch {
            throw TimedTextError("\(error)")
        }
    }

    private mutating func read(
        _ element: Element,
        _ outer: TTMLTiming.Span,
        _ look: TTMLStyles.Look,
        _ timing: TTMLTiming,
        _ looks: TTMLStyles
    ) {
        guard let span = timing.span(of: element, in: outer) else {
            return leaveOut("its times cannot be read: \(element.name)", line: element.line)
        }
        let look = looks.look(of: element, within: look)
        guard element.name == "p" else {
            for child in element.elements where ["div", "p"].contains(child.name) {
                read(child, span, look, timing, looks)
            }
            return
        }
        guard !span.isEmpty else { return leaveOut("it ends before it starts", line: element.line) }
        var paragraph = TTMLParagraph(timing, looks)
        paragraph.read(element, span, look)
        for (what, line) in paragraph.problems { leaveOut(what, line: line) }
        let (shown, problem) = paragraph.cues
        if let problem { leaveOut(problem, line: element.line) }
        cues += shown
    }
}
