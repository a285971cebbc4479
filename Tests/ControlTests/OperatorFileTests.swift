import HTTPServing
import NIOCore
import Testing

@testable import Control

@Suite struct OperatorFileTests {
    /// The texts that follow `src="`, `href="` or `from "./`, up to the quote or an anchor, but for the page itself (`./`)
    /// and other servers.
    private static func references(in file: PageFile) -> [String] {
        let text = String(buffer: file.body)
        return ["src=\"", "href=\"", "from \"./"].flatMap { prefix in
            text.split(separator: prefix).dropFirst().map { String($0.prefix { !"\"#".contains($0) }) }
        }
        // The document of the API has a route of its own.
        .filter { !$0.isEmpty && $0 != "./" && !$0.hasPrefix("https://") && $0 != APIDocument.name }
    }

    @Test func everyFileThatThePageNamesIsThere() {
        var pending = Self.references(in: OperatorFile.page)
        var seen: Set<String> = []
        #expect(pending.contains("operator.js"))
        while let name = pending.popLast() {
            guard seen.insert(name).inserted else { continue }
            #expect(OperatorFile.files[name] != nil, "\(name) is missing")
            pending += OperatorFile.files[name].map(Self.references) ?? []
        }
        #expect(seen == Set(OperatorFile.files.keys))
    }

    /// Its policy would not run them.
    @Test func thePageHasNoScriptOrStyleInside() {
        let page = String(buffer: OperatorFile.page.body)
        #expect(!page.contains("style=") && !page.contains("<style"))
        #expect(
            page.split(separator: "<script").dropFirst().allSatisfy {
                $0.contains(" src=\"operator.js\"></script>")
            }
        )
        #expect(!page.contains(" on"), "no listener as an attribute")
    }
}
