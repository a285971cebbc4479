import Foundation

extension GuidePage {
    package struct Sentence {
        /// The first line of its paragraph.
        package var line: Int
        /// The words that have a letter or a digit; code counts as one.
        package var words: [Substring]
    }

    /// The sentences in paragraphs, list items, headings and table cells.
    package var sentences: [Sentence] { paragraphs.flatMap { Self.sentences(of: $0) } }

    /// The paragraphs, list items, headings and table cells, each with the number of its first line.
    private var paragraphs: [Line] {
        var blocks: [Line] = []
        // The number of a line that would continue the last block.
        var next: Int?
        for line in lines {
            let text = line.text.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("|") {
                let cells = Self.plain(text).split(separator: "|")
                blocks += cells.map { Line(number: line.number, text: String($0)) }
                next = nil
            } else if next == line.number, !text.hasPrefix("#"), text.prefixMatch(of: #/(?:[-*+]|\d+\.)\s/#) == nil {
                blocks[blocks.count - 1].text += " " + text
                next = line.number + 1
            } else {
                blocks.append(Line(number: line.number, text: text))
                next = text.hasPrefix("#") ? nil : line.number + 1
            }
        }
        return blocks
    }

    private static func sentences(of block: Line) -> [Sentence] {
        let words = plain(block.text).split(separator: " ")
        var sentences: [Sentence] = []
        var sentence = Sentence(line: block.number, words: [])
        for (index, word) in words.enumerated() {
            if word.contains(where: { $0.isLetter || $0.isNumber }) { sentence.words.append(word) }
            if words.indices.contains(index + 1), isEnd(word, before: words[index + 1]) {
                sentences.append(sentence)
                sentence.words = []
            }
        }
        return sentences + [sentence]
    }

    /// Returns true if a sentence ends with a word: at a full stop or the like before a capital letter or a digit.
    private static func isEnd(_ word: Substring, before next: Substring) -> Bool {
        guard let mark = word.last(where: { !")*_\"”".contains($0) }), ".!?".contains(mark) else { return false }
        return next.first { !"(*_[\"“".contains($0) }.map { $0.isUppercase || $0.isNumber } ?? false
    }

    /// Replaces code by one word, and leaves out the targets of links.
    private static func plain(_ text: String) -> String {
        text.replacing(#/`[^`]*`/#, with: "Code").replacing(#/\]\([^)]*\)/#, with: "]")
    }
}
