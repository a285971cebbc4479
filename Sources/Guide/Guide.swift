package import HTTPServing

/// The guide in docs/ as pages for browsers, compiled into the program.
package enum Guide {
    /// The pages for those who build players.
    ///
    /// They say nothing of the control API's address, and the origin serves no others.
    package static let pagesForPlayers: Set<String> = ["glossary.md", "outputs-and-players.md"]

    /// Renders pages of the guide.
    ///
    /// - Parameter names: The pages, by the names of their files in docs/; nil for all of them.
    /// - Returns: The pages and their style, by the last part of their addresses.
    package static func files(_ names: Set<String>? = nil) -> [String: PageFile] {
        let sources = EmbeddedFiles.texts.filter { name, _ in
            name.hasSuffix(suffix) && (names?.contains(name) ?? true)
        }
        let served = Set(sources.keys)
        var files = [style: PageFile(style, EmbeddedFiles.texts[style] ?? "")]
        for (name, text) in sources {
            let file = fileName(ofPage: name)
            files[file] = PageFile(file, GuidePage(text) { address(of: $0, among: served) }.html)
        }
        return files
    }

    private static let suffix = ".md"
    private static let style = "guide.css"
    /// The page that lists the others.
    private static let index = "README.md"

    private static func fileName(ofPage name: String) -> String {
        name == index ? "guide.html" : "\(name.dropLast(suffix.count)).html"
    }

    /// Returns the address that a link leads to; nil if it leads to a file that is not served.
    private static func address(of target: Substring, among names: Set<String>) -> String? {
        if target.contains("://") { return String(target) }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let anchor = parts.count == 2 ? "#\(parts[1])" : ""
        let name = String(parts[0])
        if name.isEmpty { return anchor }
        return names.contains(name) ? fileName(ofPage: name) + anchor : nil
    }
}
