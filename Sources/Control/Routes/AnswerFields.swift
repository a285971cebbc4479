import NIOHTTP1

/// The fields of every answer of the operator face.
enum AnswerFields {
    static func fields(contentType: String) -> HTTPHeaders {
        // What is true now is not true later; and no browser shall take text for something else.
        ["Content-Type": contentType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"]
    }
}
