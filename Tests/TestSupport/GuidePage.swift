package import Foundation

/// A page in Markdown: its lines, headings, links, flags and blocks of code.
package struct GuidePage {
    package let file: URL
    package let text: String
    /// The lines that are no code, in order.
    package let lines: [Line]

    package struct Line {
        /// Counted from 1.
        package var number: Int
        package var text: String
    }

    package struct Link {
        package var line: Int
        /// As it is written: an address, or a path with or without an anchor.
        package var target: String
    }

    package init(at file: URL) throws { self.init(at: file, text: try String(contentsOf: file, encoding: .utf8)) }

    package init(at file: URL, text: String) {
        (self.file, self.text) = (file, text)
        lines = Self.lines(of: text)
    }

    /// README.md and the pages in docs/, by their paths in the checkout.
    package static let paths: [String] = {
        let docs = Repository.root.appending(path: "docs").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: docs)) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    /// The links, other than those in code.
    package var links: [Link] {
        lines.flatMap { line in
            line.text.replacing(#/`[^`]*`/#, with: "").matches(of: #/\]\(([^)\s]+)\)/#)
                .map { Link(line: line.number, target: String($0.output.1)) }
        }
    }

    /// The fragments that a link may name: the headings as GitHub spells them in addresses, the second of a name with `-1`.
    package var anchors: Set<String> {
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in lines {
            guard let heading = line.text.wholeMatch(of: #/#{1,6} +(.*)/#) else { continue }
            let slug = Self.slug(String(heading.output.1))
            let count = counts[slug, default: 0]
            counts[slug] = count + 1
            anchors.insert(count == 0 ? slug : "\(slug)-\(count)")
        }
        return anchors
    }

    /// The flags in text and commands, without `--`.
    package var flags: Set<String> {
        Set(text.matches(of: #/(?:^|[\s`'"(\[])--([a-z][a-z0-9-]*)/#).map { String($0.output.1) })
    }

    /// The blocks of code.
    package var blocks: [GuideBlock] { GuideBlock.blocks(of: text) }

    /// The targets of `make` in text and commands.
    package var makeTargets: Set<String> {
        let command = #/(?:`|^ {4,}|&& )make ([a-z][a-z-]*)/#.anchorsMatchLineEndings()
        return Set(text.matches(of: command).map { String($0.output.1) })
    }

    /// Letters in lower case, digits, `-` and `_`; a hyphen for each space.
    package static func slug(_ heading: String) -> String {
        let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
        return kept.replacing(" ", with: "-")
    }

    /// Returns the lines outside of fences and of blocks that are indented by four columns or more.
    private static func lines(of text: String) -> [Line] {
        var lines: [Line] = []
        var isFenced = false
        var isAfterBlank = true
        var isIndented = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("```") {
                isFenced.toggle()
                continue
            }
            if isFenced { continue }
            if words.isEmpty {
                isAfterBlank = true
                continue
            }
            let indent = line.count - words.count
            isIndented = indent >= 4 && (isAfterBlank || isIndented)
            isAfterBlank = false
            if !isIndented { lines.append(Line(number: index + 1, text: String(line))) }
        }
        return lines
    }
}
