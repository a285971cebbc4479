/// A block of code of a page, with what its mark says of it.
package struct GuideBlock: Sendable {
    /// The first line of its code, counted from 1.
    package var line: Int
    /// Without the indentation that all lines share.
    package var text: String
    /// The word behind the fence; empty for an indented block.
    package var language: String
    /// The text of the HTML comment right before the block; nil where there is none.
    package var comment: String?

    /// The ways in which a test deals with a block, as docs/contributing.md has them.
    package enum Mark: Equatable, Sendable {
        /// `run`: commands that end with exit code 0.
        case run
        /// `run: serves`: packagers that serve what their inputs are sent.
        case serves
        /// `run: sends`: an encoder, whose feed a packager serves.
        case sends
        /// `run: with feed`: commands that end with exit code 0 while each address in them is sent a feed.
        case withFeed
        /// `run: with channel NAME`: commands that end with exit code 0 while a packager has that channel on air.
        case withChannel(String)
        /// `run by: FILE`: commands that a test in that file below `Tests` runs.
        case runBy(String)
        /// `not run: REASON`.
        case notRun(String)
        /// `fragment of: channel` or `fragment of: configuration`: settings that `packager check-config` accepts there.
        case fragment(of: String)
    }

    /// Nil without a comment, or with one that is no mark.
    package var mark: Mark? {
        guard let comment else { return nil }
        if comment == "run" { return .run }
        guard let colon = comment.firstIndex(of: ":") else { return nil }
        let rest = comment[comment.index(after: colon)...].drop { $0 == " " }
        return Self.mark(String(comment[..<colon]), String(rest))
    }

    /// True for what a server says, or for any other text that nobody is asked to run.
    package var isOutput: Bool {
        if !["", "sh", "shell", "bash", "yaml"].contains(language) { return true }
        return ["{", "[", "HTTP/"].contains { text.hasPrefix($0) }
    }

    /// The commands, each with the lines by which it goes on.
    package var commands: [String] {
        var commands: [String] = []
        var isContinued = false
        for line in text.split(separator: "\n") {
            if isContinued, let last = commands.popLast() {
                commands.append("\(last)\n\(line)")
            } else {
                commands.append(String(line))
            }
            isContinued = line.hasSuffix("\\")
        }
        return commands
    }

    private static func mark(_ word: String, _ rest: String) -> Mark? {
        let names = rest.split(separator: " ").map(String.init)
        return switch (word, names.count) {
        case ("run", 1) where rest == "serves": .serves
        case ("run", 1) where rest == "sends": .sends
        case ("run", 2) where rest == "with feed": .withFeed
        case ("run", 3) where rest.hasPrefix("with channel "): .withChannel(names[2])
        case ("run by", 1): .runBy(rest)
        case ("not run", 1...): .notRun(rest)
        case ("fragment of", 1) where ["channel", "configuration"].contains(rest): .fragment(of: rest)
        default: nil
        }
    }
}

extension GuideBlock {
    /// Finds the blocks of a text: those in fences, and those behind a blank line with an indentation of four or more.
    package static func blocks(of text: String) -> [GuideBlock] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var blocks: [GuideBlock] = []
        var comment: String?
        var isAfterBlank = true
        var index = 0
        while index < lines.count {
            let words = lines[index].drop { $0 == " " }
            if words.hasPrefix("```") {
                let end = lines[(index + 1)...].firstIndex { $0.drop { $0 == " " }.hasPrefix("```") } ?? lines.count
                let language = String(words.dropFirst(3))
                blocks.append(.init(from: index + 1, to: end, of: lines, language: language, comment: comment))
                (index, comment, isAfterBlank) = (end + 1, nil, false)
            } else if !words.isEmpty, indentation(lines[index]) >= 4, isAfterBlank {
                let end = end(of: lines, from: index)
                blocks.append(.init(from: index, to: end, of: lines, language: "", comment: comment))
                (index, comment, isAfterBlank) = (end, nil, false)
            } else {
                if !words.isEmpty { comment = words.wholeMatch(of: #/<!-- (.+) -->/#).map { String($0.output.1) } }
                isAfterBlank = words.isEmpty
                index += 1
            }
        }
        return blocks
    }

    private init(from start: Int, to end: Int, of lines: [Substring], language: String, comment: String?) {
        let own = start < end ? lines[start..<end] : []
        let shared = own.filter { !isBlank($0) }.map(Self.indentation).min() ?? 0
        let text = own.map { $0.dropFirst(shared) }.joined(separator: "\n")
        self.init(line: start + 1, text: text, language: language, comment: comment)
    }

    private static func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    /// The line behind an indented block.
    private static func end(of lines: [Substring], from start: Int) -> Int {
        var end = start
        for index in start..<lines.count where !isBlank(lines[index]) {
            guard indentation(lines[index]) >= 4 else { break }
            end = index + 1
        }
        return end
    }
}

private func isBlank(_ line: Substring) -> Bool { line.allSatisfy { $0 == " " } }
