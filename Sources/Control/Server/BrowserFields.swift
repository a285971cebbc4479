import HTTPTypes

/// What browsers are told of an answer: that it is what it says, to whom it is nothing, and what a page may do.
enum BrowserFields {
    /// Of a page: it is made of files of its own and talks to its own origin; pictures come from there too, as blobs where
    /// they are fetched with a token.
    private static let page =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    /// Of what is no page.
    private static let document = "default-src 'none'; frame-ancestors 'none'"

    static func add(to fields: inout HTTPFields) {
        fields[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        fields[.contentSecurityPolicy] = fields[.contentType]?.hasPrefix("text/html") == true ? page : document
    }
}
