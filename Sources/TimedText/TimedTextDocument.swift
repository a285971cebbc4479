import MediaCore

/// The cues of a document, and the omissions in words.
package struct TimedTextDocument: Hashable, Sendable {
    /// The cues in the order of the document.
    package var cues: [TimedCue] = []
    /// The first hundred problems, such as `line 7: a cue ends before it starts`.
    package private(set) var problems: [String] = []

    /// The largest document that is read.
    package static let maximumBytes = 16 << 20
    private static let mostProblems = 100

    mutating func leaveOut(_ what: String, line: Int) {
        if problems.count < Self.mostProblems { problems.append("line \(line): \(what)") }
    }

    /// Reads WebVTT or TTML, whichever it is.
    ///
    /// - Parameters:
    ///   - bytes: As they were received.
    ///   - isGrowing: True if the last cue may be there in part only.
    /// - Throws: ``TimedTextError`` if it is neither.
    package init(parsing bytes: some Collection<UInt8>, isGrowing: Bool = false) throws(TimedTextError) {
        guard bytes.count <= Self.maximumBytes else {
            throw TimedTextError("it is longer than \(Self.maximumBytes) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw TimedTextError("it is not UTF-8") }
        let first = text.unicodeScalars.first { $0 != "\u{FEFF}" && !$0.properties.isWhitespace }
        self = first == "<" ? try Self(ttml: text) : try Self(webVTT: text, isGrowing: isGrowing)
    }

    init() {}
}
