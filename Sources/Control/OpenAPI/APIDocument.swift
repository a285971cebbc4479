import HTTPServing

/// The description of the control API for programs: an OpenAPI 3.1 document.
enum APIDocument {
    /// The name of its file, here and for clients.
    static let name = "openapi.json"

    /// Returns the served document.
    ///
    /// - Parameter version: The version of the program, of which strangers get only the number; empty for none.
    /// - Returns: JSON.
    static func file(version: String) -> PageFile {
        let number = version.prefix { $0 != "," }
        let text = EmbeddedFiles.texts[name] ?? "{}"
        if number.isEmpty { return PageFile(name, text) }
        return PageFile(name, text.replacing("\"0.0.0\"", with: "\"\(number)\"", maxReplacements: 1))
    }
}
