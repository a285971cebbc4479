import NIOHTTP1

/// The security header fields of every answer: browsers must not guess its type, share it or run scripts in it.
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
