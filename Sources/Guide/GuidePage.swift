/// A page of the guide, made of its Markdown.
struct GuidePage {
    /// The text of its first heading.
    let title: String
    /// The whole document.
    let html: String

    /// - Parameters:
    ///   - text: The page in Markdown.
    ///   - address: Finds the address that the target of a link is served at; nil if it is not served.
    init(_ text: String, address: @escaping (Substring) -> String?) {
        let markup = GuideMarkup(spans: GuideSpans(address: address))
        let heading = text.split(separator: "\n").first { $0.hasPrefix("# ") }
        title = heading.map { String($0.dropFirst(2)) } ?? "Guide"
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="dark">
                <title>\(GuideSpans.escaped(title)) · packager</title>
                <link rel="icon" href="icon.svg" type="image/svg+xml">
                <link rel="stylesheet" href="look.css">
                <link rel="stylesheet" href="guide.css">
            </head>
            <body>
                <header>
                    <span class="mark">packager</span>
                    <nav>\(Self.navigation(address))</nav>
                </header>
                <main>
            \(markup.html(text))</main>
            </body>
            </html>

            """
    }

    /// Links to the page that the listener has at its root, and to the list of pages if that is served.
    private static func navigation(_ address: (Substring) -> String?) -> String {
        let index = address("README.md").map { " <a href=\"\($0)\">Guide</a>" } ?? ""
        return "<a href=\"./\">Start</a>" + index
    }
}
