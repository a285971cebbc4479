import NIOHTTP1

/// The header fields of every answer of the control API.
enum AnswerFields {
    static func fields(contentType: String) -> HTTPHeaders {
        // Answers are stale at once, and browsers must not guess another type.
        ["Content-Type": contentType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"]
    }
}
