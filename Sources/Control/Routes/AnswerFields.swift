import NIOHTTP1

/// The header fields of every answer of the control API.
enum AnswerFields {
    static func fields(contentType: String) -> HTTPHeaders {
        // What is true now is not true later; and no browser shall take text for something else.
        ["Content-Type": contentType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"]
    }
}
