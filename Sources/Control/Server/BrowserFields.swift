import HTTPTypes

/// What browsers are told of every answer: that it is what it says, to whom it is nothing, and that it does nothing.
enum BrowserFields {
    /// Of what is no page; a page says itself what it needs.
    private static let policy = "default-src 'none'; frame-ancestors 'none'"

    static func add(to fields: inout HTTPFields) {
        fields[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        if fields[.contentSecurityPolicy] == nil { fields[.contentSecurityPolicy] = policy }
    }
}
