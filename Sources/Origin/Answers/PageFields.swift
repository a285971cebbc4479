import NIOHTTP1

/// The header fields of the player page and its files: they are what they say, and the page may do only what it must.
enum PageFields {
    /// The page is made of files of its own, may find media and keys anywhere (key-url), and is nobody's frame.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src * blob:; connect-src *; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    static func fields(contentType: String) -> HTTPHeaders {
        // Whoever the page leads to is not told its address, which may have the viewer's token in it.
        var fields: HTTPHeaders = ["X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"]
        if contentType.hasPrefix("text/html") { fields.add(name: "Content-Security-Policy", value: policy) }
        return fields
    }
}
