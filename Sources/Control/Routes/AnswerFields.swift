import HTTPTypes

/// The fields of every answer of the operator face.
enum AnswerFields {
    static func fields(contentType: String) -> HTTPFields {
        // What is true now is not true later; and no browser shall take text for something else.
        [.contentType: contentType, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
    }
}
