import NIOHTTP1

/// The header fields of every answer that tell browsers that it is what it says, whom it is for, and that it does
/// nothing.
enum BrowserFields {
    /// The policy of answers other than pages; a page states its own.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    static func add(to fields: inout HTTPHeaders) {
        let missing = [
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Content-Security-Policy", policy),
        ].filter { name, _ in !fields.contains(name: name) }
        fields.add(contentsOf: missing)
    }
}
