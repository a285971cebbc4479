import Foundation
import TestSupport
import Testing

/// Comments and pages can be understood at first reading.
@Suite struct WordingTests {
    /// The first sentence of a doc comment names its subject with a noun, or begins with a verb.
    @Test func docCommentsNameTheirSubject() throws {
        var count = 0
        var clauses: [String] = []
        for (path, text) in try SourceFiles.texts(below: "Sources") {
            let paragraphs = DocComments(in: text).paragraphs
            count += paragraphs.count
            clauses += paragraphs.filter(\.isClause).map { "\(path):\($0.line): \($0.text)" }
        }
        #expect(count > 5_000)
        #expect(clauses.count * 50 < count, "\(clauses.joined(separator: "\n"))")
    }

    @Test(arguments: [
        "What is listed.", "Whether it is lost.", "Nil while it is unknown.", "`nil` in a gap.", "Of the feed.",
        "As far as it is known.", "Where it begins.", "Whoever asks.",
    ])
    func clauseIsFound(text: String) {
        #expect(DocComments(in: "/// A window.\n///\n    /// \(text)\n").paragraphs.map(\.isClause) == [false, true])
    }

    @Test(arguments: ["Offset of the packet.", "Whole bytes.", "Whence.", "The time when it began.", "As text."])
    func sentenceIsNoClause(text: String) {
        #expect(DocComments(in: "/// \(text)\n/// What it is.").paragraphs.map(\.isClause) == [false])
    }

    @Test(arguments: GuidePage.paths)
    func noSentenceHasMoreThan40Words(path: String) throws {
        for sentence in try GuidePage(at: Repository.root.appending(path: path)).sentences {
            #expect(sentence.words.count <= 40, "\(path):\(sentence.line): \(sentence.words.joined(separator: " "))")
        }
    }

    @Test func sentencesAreCounted() {
        let text = """
            # A title

            It reads `a. B` and
            stops. **Then** it waits (2.5 s). [Links](a.md#b. C) are words – and so is `code`!

            - one item
            - another. With two

            | a cell. Of two | `x|y` |
            """
        let page = GuidePage(at: Repository.root.appending(path: "page.md"), text: text)
        #expect(page.sentences.map(\.words.count) == [2, 5, 5, 7, 2, 1, 2, 2, 2, 1])
        #expect(page.sentences.map(\.line) == [1, 3, 3, 3, 6, 7, 7, 9, 9, 9])
    }

    @Test(arguments: ["Sources", "Tests"])
    func noLineOfSourceIsLongerThan140Characters(folder: String) throws {
        for (path, text) in try SourceFiles.texts(below: folder) {
            for (index, line) in text.components(separatedBy: "\n").enumerated() where line.utf8.count > 140 {
                #expect(line.count <= 140, "\(path):\(index + 1)")
            }
        }
    }
}
