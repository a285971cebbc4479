import HTTPServing
import NIOCore
import Origin
import Testing

@Suite struct PlayerFileTests {
    /// Returns what follows `src="`, `href="` or `from "./`, up to the quote or an anchor; the page itself is `./`.
    private static func references(in text: String) -> [Substring] {
        ["src=\"", "href=\"", "from \"./"].flatMap { prefix in
            text.split(separator: prefix).dropFirst().map { $0.prefix { !"\"#".contains($0) } }
        }.filter { !$0.isEmpty && $0 != "./" }
    }

    @Test func everyFileThatThePageNamesIsPublished() {
        var pending = Self.references(in: String(buffer: PlayerFile.page.body))
        var seen: Set<Substring> = []
        #expect(pending.contains("page.js"))
        while let name = pending.popLast() {
            guard seen.insert(name).inserted else { continue }
            #expect(PlayerFile.isPublished(name), "\(name) is not published")
            pending += Self.references(in: PlayerFile.files[name].map { String(buffer: $0.body) } ?? "")
        }
        #expect(seen == Set(PlayerFile.files.keys))
    }

    /// A viewer finds nothing about the control API there.
    @Test func guideOfTheOriginIsAboutPlayersAlone() throws {
        let pages = PlayerFile.files.filter { name, _ in name.hasSuffix(".html") }
        #expect(pages.keys.sorted() == ["glossary.html", "outputs-and-players.html"])
        for (name, page) in pages {
            let text = String(buffer: page.body)
            #expect(text.contains("<h1 ") && !text.contains("8081") && !text.contains("href=\"control-api"), "\(name)")
        }
    }

    @Test func entityTagsDiffer() {
        let tags = PlayerFile.files.values.map(\.entityTag) + [PlayerFile.page.entityTag]
        #expect(Set(tags).count == tags.count)
    }
}
