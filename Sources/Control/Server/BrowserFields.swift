import NIOHTTP1

/// What browsers are told of every answer: that it is what it says, to whom it is nothing, and that it does nothing.
enum BrowserFields {
    /// Of what is no page; a page says itself what it needs.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    static func add(to fields: inout HTTPHeaders) {
        let missing = [
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
            ("Content-Security-Policy", policy),
        ].filter { name, _ in !fields.contains(name: name) }
        fields.add(contentsOf: missing)
    }
}
