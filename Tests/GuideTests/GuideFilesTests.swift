import Foundation
import HTTPServing
import NIOCore
import TestSupport
import Testing

@testable import Guide

/// The pages of docs/ as the listeners serve them.
@Suite struct GuideFilesTests {
    private static let files = Guide.files()

    private static func texts() -> [String: String] {
        files.filter { name, _ in name.hasSuffix(".html") }.mapValues { String(buffer: $0.body) }
    }

    /// The texts between a prefix and the next quotation mark.
    private static func values(of prefix: String, in text: String) -> [Substring] {
        text.split(separator: prefix).dropFirst().map { $0.prefix { $0 != "\"" } }
    }

    @Test func everyPageOfTheGuideIsThere() throws {
        let docs = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "docs").path)
        let pages = docs.filter { $0.hasSuffix(".md") && $0 != "README.md" }.map { "\($0.dropLast(3)).html" }
        #expect(Set(Self.files.keys) == Set(pages + ["guide.html", "guide.css"]))
        #expect(Self.files["guide.html"]?.contentType == "text/html; charset=utf-8")
    }

    @Test func everyLinkLeadsToAPageAndAHeading() throws {
        let texts = Self.texts()
        for (name, text) in texts {
            for link in Self.values(of: "<a href=\"", in: text) where link != "./" && !link.hasPrefix("https://") {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target = try #require(texts[parts[0].isEmpty ? name : parts[0]], "\(name): \(link)")
                if parts.count == 2 { #expect(target.contains(" id=\"\(parts[1])\""), "\(name): \(link)") }
            }
        }
    }

    /// Outside of code, nothing is left of Markdown.
    @Test func allMarkupBecomesHTML() {
        for (name, text) in Self.texts() {
            let prose = text.replacing(#/<pre>[\s\S]*?</pre>|<code>[\s\S]*?</code>/#, with: "")
            for mark in ["**", "](", "`", "\n#", "<p>- ", "<p>|", "![", "|---"] {
                #expect(!prose.contains(mark), "\(name): \(mark)")
            }
        }
    }

    /// A link to a page that is not served is its text alone.
    @Test func pagesForPlayersLinkToOneAnotherAlone() throws {
        let files = Guide.files(Guide.pagesForPlayers)
        #expect(files.keys.sorted() == ["glossary.html", "guide.css", "outputs-and-players.html"])
        for (name, file) in files {
            for link in Self.values(of: "<a href=\"", in: String(buffer: file.body)) where link != "./" {
                let page = link.prefix { $0 != "#" }
                #expect(page.isEmpty || files[String(page)] != nil, "\(name): \(link)")
            }
        }
    }
}
