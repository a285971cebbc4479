import MediaCore
import XML

/// The text of a TTML paragraph: its own text for all of its time, and that of inner elements for theirs, if it comes
/// word by word (TTML1 § 9.3.2).
struct TTMLParagraph {
    private struct Piece {
        var span: TTMLTiming.Span
        var look: TTMLStyles.Look
        /// A piece of text; nil for a line break.
        var text: String?
    }

    private let timing: TTMLTiming
    private let looks: TTMLStyles
    private var pieces: [Piece] = []
    /// The parts that cannot be shown, with the reasons.
    private(set) var problems: [(what: String, line: Int)] = []
    /// Bytes of text and elements that are looked at for each of its moments; no paragraph that is read has more.
    private static let mostLooks = 1 << 18

    init(_ timing: TTMLTiming, _ looks: TTMLStyles) {
        self.timing = timing
        self.looks = looks
    }

    /// Reads the paragraph, or an element within it.
    ///
    /// - Parameters:
    ///   - element: The element, whose children are read.
    ///   - span: The time during which it is shown.
    ///   - look: The look.
    mutating func read(_ element: Element, _ span: TTMLTiming.Span, _ look: TTMLStyles.Look) {
        for node in element.nodes {
            switch node {
            case .text(let text): pieces.append(Piece(span: span, look: look, text: text))
            case .element(let child) where child.name == "br": pieces.append(Piece(span: span, look: look))
            case .element(let child) where child.name == "span":
                if let inner = self.span(of: child, in: span) {
                    read(child, inner, looks.look(of: child, within: look))
                }
            case .element: break
            }
        }
    }

    private mutating func span(of element: Element, in outer: TTMLTiming.Span) -> TTMLTiming.Span? {
        guard let span = timing.span(of: element, in: outer) else {
            problems.append(("its times cannot be read: \(element.name)", element.line))
            return nil
        }
        guard !span.isEmpty else {
            problems.append(("it ends before it starts", element.line))
            return nil
        }
        return span
    }

    /// The cues, one after another, and the omissions in words.
    var cues: (shown: [TimedCue], problem: String?) {
        let times = Set(pieces.flatMap { [$0.span.start, $0.span.end].compactMap(\.self) }).sorted()
        let size = pieces.reduce(0) { $0 + 1 + ($1.text?.utf8.count ?? 0) }
        guard times.count <= 2 || times.count * size <= Self.mostLooks else {
            return ([], "it has too much text with times of its own")
        }
        var cues: [TimedCue] = []
        for (start, end) in zip(times, times.dropFirst()) {
            guard let content = content(at: start) else { continue }
            // An element without text changes nothing.
            if let last = cues.indices.last, cues[last].end == start, cues[last].content == content {
                cues[last].end = end
            } else {
                cues.append(TimedCue(start: start, end: end, content: content))
            }
        }
        let isEndless = times.last.map { content(at: $0) != nil } ?? false
        return (cues, isEndless ? "nothing says when it ends" : nil)
    }

    /// Renders the paragraph at a time; returns nil if nothing is shown then.
    private func content(at time: MediaTime) -> CueContent? {
        var text = CueText()
        var first: TTMLStyles.Look?
        for piece in pieces where piece.span.contains(time) {
            guard let words = piece.text else {
                text.breakLine()
                continue
            }
            if piece.look.keepsSpace {
                for (place, line) in words.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    if place > 0 { text.breakLine() }
                    text.append(String(line), piece.look.style)
                }
            } else {
                text.append(collapsing: words, piece.look.style)
            }
            if first == nil, !text.isEmpty { first = piece.look }
        }
        return first.flatMap { CueContent(text: text.markup, settings: $0.settings) }
    }
}
