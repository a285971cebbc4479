import NIOHTTP1

/// The header fields of the player page and its files: exact types, and no more rights than the page needs.
enum PageFields {
    /// The page consists of its own files, may load media and keys from anywhere (key-url), and may not be framed.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src * blob:; connect-src *; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    static func fields(contentType: String) -> HTTPHeaders {
        // Pages that it links to do not get its address, which may contain the viewer's token.
        var fields: HTTPHeaders = ["X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"]
        if contentType.hasPrefix("text/html") { fields.add(name: "Content-Security-Policy", value: policy) }
        return fields
    }
}
