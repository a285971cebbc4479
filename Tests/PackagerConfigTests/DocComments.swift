import Foundation
import TestSupport

/// The paragraphs of a file's doc comments.
struct DocComments {
    struct Paragraph {
        /// Counted from 1.
        var line: Int
        var text: String

        /// True if the paragraph begins with a clause, or with another word that leaves out its subject.
        var isClause: Bool {
            let words = text.replacing("`", with: "").lowercased()
            return words.hasPrefix("as far as ") || Self.openings.contains(String(words.prefix { $0.isLetter }))
        }

        private static let openings: Set = [
            "how", "nil", "of", "that", "what", "whatever", "when", "whenever", "where", "wherever", "whether", "which",
            "whichever", "who", "whoever", "whom", "whomever", "whose",
        ]
    }

    let paragraphs: [Paragraph]

    init(in text: String) {
        var paragraphs: [Paragraph] = []
        var isOpen = false
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let line = line.drop { $0 == " " }
            let words = line.hasPrefix("///") ? line.dropFirst(3).trimmingCharacters(in: .whitespaces) : ""
            if words.isEmpty {
                isOpen = false
            } else if isOpen {
                paragraphs[paragraphs.count - 1].text += " " + words
            } else {
                paragraphs.append(Paragraph(line: index + 1, text: words))
                isOpen = true
            }
        }
        self.paragraphs = paragraphs
    }
}

/// The Swift files of this checkout.
enum SourceFiles {
    /// Reads the files below a folder, by their paths in the checkout.
    static func texts(below folder: String) throws -> [(path: String, text: String)] {
        let root = Repository.root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            (path: "\(folder)/\(name)", text: try String(contentsOf: root.appending(path: name), encoding: .utf8))
        }
    }
}
