package import Presentation

/// A channel as the origin sees it: what is published of it, and its keys.
package struct OriginChannel: Sendable {
    /// The first component of all its paths.
    package var name: String
    package var presentation: Presentation
    /// Nil where keys come from elsewhere, or nothing is encrypted.
    package var keys: (any KeyService)?

    package init(name: String, presentation: Presentation, keys: (any KeyService)? = nil) {
        self.name = name
        self.presentation = presentation
        self.keys = keys
    }
}
